"""The examples as a user runs them, judged by what they print."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))
import common  # noqa: E402


def run(name: str, *arguments: str, processes: int = 1) -> dict[str, str]:
    """Runs one example and returns its `key = value` lines."""
    folder = EXAMPLES / name
    (folder / "post").mkdir(exist_ok=True)
    environment = dict(os.environ, NP=str(processes))
    begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(["./example", *arguments], cwd=folder, env=environment, text=True,
                          capture_output=True, timeout=900)
    print(done.stdout[-4000:], done.stderr[-2000:])
    print(f"processor_seconds of {name} = {resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin:.0f}")
    assert done.returncode == 0
    lines = [line.split(" = ", 1) for line in done.stdout.splitlines() if " = " in line]
    values = {key.strip(): value.strip() for key, value in lines}
    if "scheme newmark" not in arguments and "largest_energy_rise" in values:
        assert float(values["largest_energy_rise"]) < 1e-6
    return values


@pytest.mark.parametrize("words, said", [
    (["pyle"], "no example 'pyle'; there are: "),
    (["pile", "-var", "frictoin", "0.3"], "example pile has no variable 'frictoin'; there are: drag fall friction "),
    (["-in", "else", "-v", "motoin", "scheme euler"], "example pile has no variable 'motoin'"),
])
def test_mistyped_names_are_refused(words, said):
    done = subprocess.run([EXAMPLES / "run", *words], text=True, capture_output=True, timeout=60)
    assert done.returncode == 1 and done.stdout == "" and done.stderr.startswith(said)


@pytest.fixture(scope="module")
def drop() -> dict[str, str]:
    return run("block-drop")


@pytest.mark.parametrize("case", "abcd")
def test_drop_keeps_its_energy(drop: dict[str, str], case: str) -> None:
    assert int(drop[f"case_{case}_bounces"]) >= 5
    assert float(drop[f"case_{case}_energy_error"]) < 1e-6


@pytest.mark.parametrize("case", "abc")
def test_symmetric_drop_does_not_turn(drop: dict[str, str], case: str) -> None:
    assert float(drop[f"case_{case}_rotation"]) < 1e-10


def test_drop_d_turns(drop: dict[str, str]) -> None:
    assert float(drop["case_d_rotation"]) > 0.1


def test_drop_is_free_of_intersections(drop: dict[str, str]) -> None:
    assert drop["intersections"] == "0"
    assert int(drop["frames"]) > 400


def test_block_pile_comes_to_rest() -> None:
    t = run("block-pile")
    potential = 10 * 9.81 * 0.5275
    assert float(t["reaction_error"]) < 1e-8
    assert float(t["kinetic_energy"]) < 1e-12 * potential
    assert float(t["lateral_drift"]) < 1e-6 * 0.1
    assert float(t["mean_substep"]) > 1e-3
    assert t["intersections"] == "0"


@pytest.mark.parametrize("processes", [1, 2])
def test_pile_comes_to_rest(processes: int) -> None:
    t = run("pile", processes=processes)
    assert int(t["bodies"]) >= 40
    assert t["intersections"] == "0"
    assert Path(t["picture"]).stat().st_size > 10000
    assert float(t["kinetic_energy"]) < 1e-16 * 5000  # of the energy at the start
    assert float(t["tail_ratio_2"]) < float(t["tail_ratio_1"])


def test_pile_balances_its_energy() -> None:
    """Newmark's scheme: what is not accounted for is small against what damping and friction take."""
    t = run("pile", "-var", "motion", "scheme newmark", "-var", "fall", "150", "-var", "rest", "1")
    lost = float(t["dissipated_by_damping"]) + float(t["dissipated_by_friction"])
    print(f"drift_over_dissipated = {float(t['energy_drift']) / lost:.3g}")
    assert t["intersections"] == "0"
    assert float(t["dissipated_by_friction"]) > 0.2 * lost > 100.0
    assert abs(float(t["energy_drift"])) < 1e-3 * lost


def final_state(folder: Path, processes: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Positions and orientations after 480 fixed substeps of pile, and the number of contacts."""
    post = folder / f"np{processes}"
    post.mkdir()
    launch = ["mpirun", "--oversubscribe", "-np", str(processes)] if processes > 1 else []
    subprocess.run([*launch, os.environ["LMP"], "-var", "plugin", os.environ["PLUGIN"], "-var", "post", post,
                    "-var", "shapes", EXAMPLES / "shapes", "-var", "fall", "60", "-var", "rest", "0",
                    "-var", "motion", "scheme euler substeps 8 tol 1e-10", "-log", post / "log.lammps",
                    "-in", EXAMPLES / "pile" / "in.pile"], cwd=folder, check=True, capture_output=True)
    frames = list(common.read_dump(post / "bodies.dump"))
    start, last = frames[0].vectors("x", "y", "z"), frames[-1]
    order = np.lexsort(np.round(start, 6).T)  # create_atoms numbers by process: match by the places at the start
    t = common.read_thermo(post / "log.lammps")[0]
    assert t["f_motion[1]"][-1] == 480
    quaternions = last.vectors("c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]")[order]
    return last.vectors("x", "y", "z")[order], quaternions, float(t["f_motion[7]"][-1])


def test_pile_is_the_same_on_two_ranks(tmp_path: Path) -> None:
    x1, q1, contacts1 = final_state(tmp_path, 1)
    x2, q2, contacts2 = final_state(tmp_path, 2)
    print(f"position_difference = {np.abs(x1 - x2).max() / 0.1:.3g} of the edge")
    print(f"quaternion_difference = {np.abs(q1 - q2).max():.3g}\ncontacts = {contacts1:g}")
    assert contacts1 == contacts2 > 0
    assert np.abs(x1 - x2).max() < 1e-8 * 0.1
    assert np.abs(q1 - q2).max() < 1e-8


def test_tetrapod_twist_slips_at_coulombs_limit() -> None:
    """Figure 23 of the paper: the reaction follows the load up to 600 N m at 1.6 s and stays there."""
    t = run("tetrapod-twist")
    assert int(t["contact_points"]) == 3
    assert 0.3 < float(t["penetration"]) < 0.5
    assert float(t["limit_error"]) < 1e-4
    assert float(t["paper_error"]) < 0.01
    assert float(t["time_error"]) < 0.01
    assert float(t["stay_deviation"]) < 2e-3
    assert float(t["reaction_over_limit"]) < 1e-6
    assert float(t["follow_deviation"]) < 0.01
    assert float(t["normal_error"]) < 1e-3
    assert t["intersections"] == "0"


@pytest.fixture(scope="module")
def slide() -> dict[str, str]:
    return run("block-slide")


def test_slide_a_sticks_up_to_the_static_limit(slide: dict[str, str]) -> None:
    assert float(slide["case_a_stick_load_error"]) < 1e-6
    assert float(slide["case_a_slides_at_error"]) < 1e-3
    assert float(slide["case_a_sliding_error"]) < 1e-4
    assert float(slide["case_a_friction_work_error"]) < 1e-4


def test_slide_b_redistributes_and_then_slides(slide: dict[str, str]) -> None:
    assert float(slide["case_b_trailing_slip_error"]) < 0.01
    assert int(slide["case_b_fluctuations"]) >= 1
    assert float(slide["case_b_leading_share"]) > 0.6
    assert float(slide["case_b_displacement_stuck"]) < 1e-3
    least = float(slide["case_b_stick_load_ratio_least"])
    assert least - 2e-3 < float(slide["case_b_stick_load_ratio"]) < 1 + 1e-3
    assert float(slide["case_b_sliding_error"]) < 1e-3


def test_slide_c_topples_while_it_sticks(slide: dict[str, str]) -> None:
    assert float(slide["case_c_trailing_slip_error"]) < 0.01
    assert float(slide["case_c_topple_load_error"]) < 1e-3
    assert float(slide["case_c_topple_load_rigid_error"]) < 0.01
    assert float(slide["case_c_displacement_stuck"]) < 1e-3
    assert float(slide["case_c_friction_min"]) < 0
    assert float(slide["case_c_time_off_ground"]) > 0


@pytest.mark.parametrize("case", "abc")
def test_slide_with_equal_coefficients_is_smooth(slide: dict[str, str], case: str) -> None:
    assert float(slide[f"case_{case}_equal_deviation"]) < 5e-3


def test_slide_is_free_of_intersections(slide: dict[str, str]) -> None:
    assert slide["intersections"] == "0"
    assert int(slide["frames"]) == 6 * 161


def test_block_box_fills_and_collapses() -> None:
    """Example 5 scaled down: a pack in a box comes to rest, loses its walls, and comes to rest as a flat pile."""
    t = run("block-box")
    assert int(t["bodies"]) == 40  # of 24 blocks a part of the pack may stay upright
    assert t["intersections"] == "0"
    assert int(t["frames"]) in range(41 + 41, 41 + 41 + 100 + 1, 10)  # ten for each part of the wait for a late block
    assert float(t["kinetic_energy_peak"]) > 10.0
    assert float(t["kinetic_energy_end"]) < 1e-9 * float(t["kinetic_energy_peak"])
    assert float(t["pile_mean_height"]) < 0.5 * float(t["packed_mean_height"])
    assert int(t["boundary_contacts_end"]) > 12  # most blocks lie on the ground
    assert float(t["energy_rise_over_range"]) < 1e-6
    assert abs(float(t["energy_drift"])) < 1e-9


def test_tetrapods_are_packed_and_collapse() -> None:
    """Example 6 scaled down: all phases of the packing, then the walls are gone and the pack spreads."""
    t = run("tetrapod-collapse", "-var", "bodies", "20", "-var", "base", "2.2", "-var", "first", "0.15", "-var", "fall",
            "300", "-var", "smooth", "50", "-var", "rest", "150", "-var", "collapse", "350")
    assert t["intersections"] == "0"
    assert int(t["frames"]) > 40
    assert float(t["pile_height"]) < 0.8 * float(t["packed_height"])
    assert float(t["pile_mean_height"]) < 0.6 * float(t["packed_mean_height"])
    assert float(t["pile_radius"]) > 1.5
    released = 20 * 313.0 * 9.81 * (float(t["packed_mean_height"]) - float(t["pile_mean_height"]))  # J, by the weight
    assert 0.15 * released < float(t["kinetic_energy_peak"]) < 0.5 * released
    assert float(t["energy_rise_over_range"]) < 1e-4  # of the range of the energy in the collapse; one step of 350
    assert abs(float(t["energy_drift"])) < 1e-9
    assert float(t["collapse_mean_substep"]) > 2e-3


def test_contact_law_is_that_of_the_paper() -> None:
    """Forces and potentials against (49) to (51); explicit steps just below and above the critical one."""
    for name, law in (("block-drop/in.block-drop", "normal 3.9e6 1 gap 0.001 barrier 0.1 -1"),
                      ("tetrapod-collapse/in.pack", "normal 4e9 1.5 gap 0.004 barrier 0.1 -2")):
        assert law in (EXAMPLES / name).read_text()
    t = run("contact-law")
    for law in ("linear", "hertz"):
        assert int(t[f"{law}_gaps"]) == 400
        assert float(t[f"{law}_force_error"]) < 1e-9 and float(t[f"{law}_potential_error"]) < 1e-9
    assert float(t["critical_step_error"]) < 1e-6
    assert int(t["critical_gaps"]) == int(t["kept_by_shorter_steps"]) == int(t["lost_by_longer_steps"]) == 6


def test_beam_has_the_forces_of_stiff_supports() -> None:
    """Section 8.1 of the 2018 paper: equal and 3 : 1 stiffness, and what Gauss-Seidel makes of it."""
    t = run("beam")
    assert float(t["uniform_error"]) < 1e-10
    assert float(t["middle_error"]) < 1e-10
    assert float(t["middle_first_error"]) < 1e-10
    left, middle, right = (float(f) for f in t["rigid_pgs-left"].split())
    assert left + middle + right == pytest.approx(10.0, abs=1e-4)
    assert abs(middle - 10 / 3) > 1.0 and middle < 9.0
    assert max(abs(float(f) - 10 / 3) for f in t["rigid_apgd"].split()) < 1e-4
    assert float(t["dem_uniform_error"]) < 1e-10
    assert float(t["dem_middle_error"]) < 1e-9


def test_beam_takes_variables() -> None:
    t = run("beam", "-var", "steps", "30")
    assert float(t["uniform_error"]) < 1e-10


@pytest.fixture(scope="module")
def cannonball() -> dict[str, str]:
    return run("cannonball")


@pytest.mark.parametrize("law", ["hooke", "hertz", "two"])
def test_cannonball_floor_bears_the_weight(cannonball: dict[str, str], law: str) -> None:
    assert int(cannonball["contacts"]) == 14440
    assert float(cannonball[f"kkt_{law}"]) < 1e-12
    assert float(cannonball[f"floor_total_error_{law}"]) < 1e-9


@pytest.mark.parametrize("law, largest", [("hooke", 3e-7), ("hertz", 3e-6), ("two", 3e-7)])
def test_cannonball_agrees_with_dem(cannonball: dict[str, str], law: str, largest: float) -> None:
    """Table 1 of the 2018 paper, and the limit of infinite stiffness."""
    assert 0.0 < float(cannonball[f"error_{law}"]) < largest
    assert float(cannonball[f"error_{law}_extrapolated"]) < 1e-8
    fall = 10.0 ** (2 / 3) if law == "hertz" else 10.0
    softer = float(cannonball[f"error_{law}-3"]) / float(cannonball[f"error_{law}-2"])
    assert softer == pytest.approx(fall, rel=0.01)


def test_cannonball_is_symmetric_and_classic_solutions_are_not(cannonball: dict[str, str]) -> None:
    assert float(cannonball["asymmetry_hooke"]) < 1e-9
    assert float(cannonball["asymmetry_hertz"]) < 1e-9
    assert float(cannonball["beside_largest"]) < 1e-9
    assert float(cannonball["classic_apgd-cold_asymmetry"]) < 1e-6
    for order in ("tag", "reverse", "random"):
        for start in ("cold", "warm"):
            assert float(cannonball[f"classic_pgs-{order}-{start}_asymmetry"]) > 0.1
            assert float(cannonball[f"classic_pgs-{order}-{start}_error"]) > 0.005
    for solver in ("apgd", "pgs-tag"):
        assert float(cannonball[f"classic_{solver}-warm_error"]) > 0.3


def test_unique_forces() -> None:
    """Implicit runs have the compatible forces of their own networks, and approach those of rigid bricks in proportion to gap
    and 1/stiffness; contact dynamics does not."""
    t = run("unique-forces")
    own, off = ([float(t[f"wall_{k}_from_{reference}"]) for k in (1, 2, 3)] for reference in ("compatible", "rigid_compatible"))
    assert max(own) < 2e-5 and own[2] < 1e-5
    assert off[0] == pytest.approx(10 * off[1], rel=0.1) and off[1] == pytest.approx(10 * off[2], rel=0.1)
    assert off[2] < 3e-5
    assert float(t["cold_friction_from_compatible"]) > 0.05 and float(t["warm_friction_from_compatible"]) > 0.05
    assert float(t["warm_from_cold"]) > 0.01 and float(t["compatible_warm_from_cold"]) < 1e-6
    assert float(t["cold_kkt"]) < 1e-12 and 0 <= float(t["cold_spread"]) < 1e-10
    # which pack comes about depends on rounding
    assert int(t["pack_contacts"]) > 40 and float(t["pack_from_compatible"]) > 0.05


@pytest.fixture(scope="module")
def rest() -> dict[str, str]:
    return run("block-rest")


@pytest.mark.parametrize("count, indeterminacy", [(4, 1), (5, 2), (6, 3), (8, 5)])
@pytest.mark.parametrize("load", ["centred", "offset"])
def test_cube_on_points(rest: dict[str, str], count: int, indeterminacy: int, load: str) -> None:
    key = f"points_{count}_{load}"
    assert int(rest[f"{key}_indeterminacy"]) == indeterminacy
    assert float(rest[f"{key}_affine_hooke"]) < 1e-10
    assert float(rest[f"{key}_affine_hertz"]) < 1e-10
    assert float(rest[f"{key}_balance"]) < 1e-10
    assert float(rest[f"{key}_rigid_off"]) > 0.5


def test_pile_has_the_forces_of_the_implicit_run(rest: dict[str, str]) -> None:
    """In the implicit run's own network, and in that of rigid blocks the nearer the stiffer the run's blocks."""
    assert int(rest["pile_contacts"]) == 40
    assert int(rest["rigid_indeterminacy"]) == 10
    assert float(rest["straight_pile_error"]) < 1e-9
    assert float(rest["leaning_pile_error_3.9e6"]) < 1e-7
    errors = [float(rest[f"rigid_against_implicit_{k}"]) for k in ("3.9e5", "3.9e6", "3.9e7")]
    assert errors[2] < 1e-4
    for softer, stiffer in zip(errors, errors[1:]):
        assert 7.0 < softer / stiffer < 13.0
    assert float(rest["rigid_gauss_seidel_error"]) > 0.3


def test_rocking_block_is_housners() -> None:
    t = run("rocking")
    assert float(t["largest_quarter_error"]) < 2e-3
    assert all(abs(float(left) - float(t["reference"])) < 0.01 for left in t["velocity_left"].split())
    assert int(t["pulses"]) == int(t["pulses_right"]) == 10
    assert t["intersections"] == "0"


def test_free_body_turns_over_and_keeps_its_invariants() -> None:
    t = run("dzhanibekov")
    assert float(t["turns"]) == pytest.approx(1000)
    assert float(t["energy_change"]) < 1e-10
    assert float(t["momentum_change"]) < 1e-10
    assert abs(float(t["time_between_error"])) < 5e-4


@pytest.mark.parametrize("changed", [("spin", "20"), ("tilt", "0.1")])
def test_free_body_of_another_spin(changed: tuple[str, str]) -> None:
    t = run("dzhanibekov", "-var", *changed, "-var", "turns", "100")
    assert float(t["turns"]) == pytest.approx(100)
    assert abs(float(t["time_between_error"])) < 1e-3


def test_silo_of_another_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solid fraction and Janssen's length, which is width/(2 K mu), are those of its own width."""
    monkeypatch.setenv("SHAPES", "spheres")
    monkeypatch.setenv("GRAN", "no")
    small = {"count": 96, "width": 8, "fill": 0.4, "sink": 0.1}
    t = run("silo", *(word for name, value in small.items() for word in ("-var", name, str(value))))
    assert 0.4 < float(t["spheres_solid_fraction"]) < 0.55
    assert float(t["spheres_janssen_length"]) * 2 * float(t["spheres_ratio"]) * float(t["spheres_wall_friction"]) == pytest.approx(8, rel=1e-4)
    assert (EXAMPLES / "silo" / "post" / "silo.csv").read_text().startswith("# width = 8.0\nshape,")


def test_arch_stands_from_the_thickness_of_limit_analysis() -> None:
    """Of 11 stones, to save time; those of 25 and 101 are on the example's page."""
    t = run("arch", "-var", "stones", "11")
    assert float(t["reference_of_so_many_stones"]) == pytest.approx(0.10459, abs=1e-5)
    assert 0 < float(t["error_of_so_many_stones"]) < 2e-3
    assert t["falls_2_percent_below"] == t["stands_2_percent_above"] == "True"
    assert t["hinges"] == t["reference_hinges"]
    assert t["intersections"] == "0"
