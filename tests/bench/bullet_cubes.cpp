/* Cubes in an open box with the Bullet library, for comparison.
 *
 *   bullet_cubes START STEP DURATION ITERATIONS END
 *
 * START, END: one cube per line, centre x y z (m) and quaternion w i j k. Cubes of 0.1 m and 1 kg,
 * box of 1 m x 1 m, friction 0.5, no restitution, bodies never sleep. Prints wall and processor
 * time (s) of all steps, and kinetic energy and number of contact points at the end.
 *
 *   g++ -O3 -march=native bullet_cubes.cpp $(pkg-config --cflags --libs bullet)
 */
#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

namespace
{

constexpr double EDGE = 0.1, MASS = 1.0, SIDE = 1.0, FRICTION = 0.5, GRAVITY = 9.81;

/* Bullet multiplies the coefficients of both bodies */
const btScalar COEFFICIENT = btScalar(std::sqrt(FRICTION));

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btDefaultMotionState>> states;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  btRigidBody *add(btCollisionShape *shape, double mass, const btTransform &pose)
  {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
    states.emplace_back(new btDefaultMotionState(pose));
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), states.back().get(), shape,
                                                  inertia);
    info.m_friction = COEFFICIENT;
    info.m_restitution = 0;
    bodies.emplace_back(new btRigidBody(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    dynamics.addRigidBody(bodies.back().get());
    return bodies.back().get();
  }

  void wall(const btVector3 &normal, double offset)
  {
    shapes.emplace_back(new btStaticPlaneShape(normal, btScalar(offset)));
    add(shapes.back().get(), 0, btTransform::getIdentity());
  }

  ~World()
  {
    for (auto &b : bodies) dynamics.removeRigidBody(b.get());
  }
};

double seconds()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* false: the file cannot be read or holds no cube */
bool read_cubes(const char *path, World &world, std::vector<btRigidBody *> &cubes)
{
  std::FILE *file = std::fopen(path, "r");
  if (!file) return false;
  auto *box = new btBoxShape(btVector3(1, 1, 1) * btScalar(EDGE / 2));
  box->setMargin(btScalar(0.002));
  world.shapes.emplace_back(box);
  double x, y, z, w, i, j, k;
  while (std::fscanf(file, "%lf %lf %lf %lf %lf %lf %lf", &x, &y, &z, &w, &i, &j, &k) == 7) {
    btQuaternion turn{btScalar(i), btScalar(j), btScalar(k), btScalar(w)};
    btTransform pose(turn, btVector3(btScalar(x), btScalar(y), btScalar(z)));
    cubes.push_back(world.add(box, MASS, pose));
  }
  std::fclose(file);
  return !cubes.empty();
}

bool write_cubes(const char *path, const std::vector<btRigidBody *> &cubes)
{
  std::FILE *file = std::fopen(path, "w");
  if (!file) return false;
  for (const btRigidBody *cube : cubes) {
    const btVector3 x = cube->getWorldTransform().getOrigin();
    const btQuaternion q = cube->getWorldTransform().getRotation();
    std::fprintf(file, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", double(x.x()), double(x.y()),
                 double(x.z()), double(q.w()), double(q.x()), double(q.y()), double(q.z()));
  }
  return std::fclose(file) == 0;
}

double kinetic_energy(const std::vector<btRigidBody *> &cubes)
{
  double sum = 0;
  for (const btRigidBody *c : cubes) {
    const double j = MASS * EDGE * EDGE / 6;
    sum += 0.5 * (MASS * double(c->getLinearVelocity().length2()) +
                  j * double(c->getAngularVelocity().length2()));
  }
  return sum;
}

} // namespace

int main(int argc, char **argv)
{
  if (argc != 6) {
    std::fprintf(stderr, "usage: bullet_cubes START STEP DURATION ITERATIONS END\n");
    return 2;
  }
  const double step = std::atof(argv[2]);
  const int steps = int(std::lround(std::atof(argv[3]) / step));
  World world;
  world.dynamics.setGravity(btVector3(0, 0, btScalar(-GRAVITY)));
  world.dynamics.getSolverInfo().m_numIterations = std::atoi(argv[4]);
  // penetration is always corrected apart from the velocities: else it becomes kinetic energy
  world.dynamics.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
  world.wall(btVector3(0, 0, 1), 0);
  world.wall(btVector3(1, 0, 0), 0);
  world.wall(btVector3(-1, 0, 0), -SIDE);
  world.wall(btVector3(0, 1, 0), 0);
  world.wall(btVector3(0, -1, 0), -SIDE);
  std::vector<btRigidBody *> cubes;
  if (!read_cubes(argv[1], world, cubes)) {
    std::fprintf(stderr, "bullet_cubes: no cubes in %s\n", argv[1]);
    return 2;
  }
  const double begin = seconds();
  const std::clock_t used = std::clock();
  for (int n = 0; n < steps; n++) world.dynamics.stepSimulation(btScalar(step), 0);
  const double cpu = double(std::clock() - used) / CLOCKS_PER_SEC, wall = seconds() - begin;
  int points = 0;
  for (int n = 0; n < world.dispatcher.getNumManifolds(); n++)
    points += world.dispatcher.getManifoldByIndexInternal(n)->getNumContacts();
  if (!write_cubes(argv[5], cubes)) {
    std::fprintf(stderr, "bullet_cubes: cannot write %s\n", argv[5]);
    return 2;
  }
  std::printf("wall = %.6g\ncpu = %.6g\nkinetic_energy = %.6g\ncontacts = %d\n", wall, cpu,
              kinetic_energy(cubes), points);
  return 0;
}
