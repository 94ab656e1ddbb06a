"""MuJoCo in equal steps: the same bits at every frame rate, and positions between two states."""

import numpy as np
import pytest

import arm
import evenstep

SECOND = 1_000_000_000
FRAME_RATES = [30, 60, 144]


def played(fps: int) -> arm.Simulation:
    """Four seconds of the simulation on a virtual clock."""
    simulation = arm.Simulation()
    timestep, last, shown = evenstep.FixedTimestep(simulation.rate), 4 * simulation.rate, 0
    while timestep.tick < last:
        frame = timestep.begin_frame(shown * SECOND // fps)
        for step in frame:
            if step.tick < last:
                simulation.step(step.tick)
        simulation.draw(frame.alpha)
        shown += 1
    # The simulated time that was reached is the time that passed: a real-time factor of 1, but for a frame.
    passed = (shown - 1) / fps
    assert abs(float(timestep.tick / simulation.rate) - passed) <= 1 / float(simulation.rate)
    return simulation


def test_mujoco_ends_in_the_same_bits_at_every_frame_rate() -> None:
    simulations = [played(fps) for fps in FRAME_RATES]
    assert {round(simulation.data.time, 9) for simulation in simulations} == {4.0}
    assert len({simulation.hash() for simulation in simulations}) == 1
    # As by mj_step in a plain loop.
    plain = arm.Simulation()
    for tick in range(2000):
        plain.step(tick)
    assert plain.hash() == simulations[0].hash()


def test_positions_are_blended_joint_by_joint() -> None:
    simulation = arm.Simulation()
    model, data = simulation.model, simulation.data
    out = np.zeros(model.nq)
    previous, current = data.qpos.copy(), data.qpos.copy()
    free, ball = (int(model.jnt_qposadr[joint]) for joint in (3, 1))
    hinge, slide = (int(model.jnt_qposadr[joint]) for joint in (0, 2))
    current[hinge], current[slide], current[free] = 1.0, 2.0, previous[free] + 4
    # A quarter turn about z, given as the quaternion of the other sign.
    previous[ball : ball + 4] = [1, 0, 0, 0]
    current[ball : ball + 4] = -np.array([np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4)])
    evenstep.blend_qpos(model, previous, current, 0.5, out)
    assert out[hinge] == 0.5 and out[slide] == 1.0 and out[free] == previous[free] + 2
    eighth = np.array([np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)])
    np.testing.assert_allclose(out[ball : ball + 4], eighth, atol=1e-6)
    # What does not turn keeps its bits.
    assert (out[free + 3 : free + 7] == previous[free + 3 : free + 7]).all()
    # Even: the angle between draws of a turn is the same.
    angles = []
    for alpha in np.linspace(0, 1, 11):
        evenstep.blend_qpos(model, previous, current, float(alpha), out)
        angles.append(2 * np.arctan2(out[ball + 3], out[ball]))
    np.testing.assert_allclose(np.diff(np.unwrap(angles)), np.pi / 20, atol=1e-5)


def test_a_free_body_moves_straight_while_it_turns() -> None:
    model = arm.Simulation().model
    free = int(model.jnt_qposadr[3])
    previous, current, out = np.zeros(model.nq), np.zeros(model.nq), np.zeros(model.nq)
    previous[free : free + 7] = [1, 2, 3, 1, 0, 0, 0]
    current[free : free + 7] = [3, 6, 9, np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4)]
    evenstep.blend_qpos(model, previous, current, 0.5, out)
    np.testing.assert_allclose(out[free : free + 7], [2, 4, 6, np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)], atol=1e-6)


def test_quaternions_of_any_length_are_blended_as_the_rotations_that_mujoco_takes_them_for() -> None:
    model = arm.Simulation().model
    ball = int(model.jnt_qposadr[1])
    quarter = np.array([np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4)])
    eighth = np.array([np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)])
    for older, newer in ((2.0, 1.0), (1.0, 1e-9), (1e30, 1e-12), (0.0, 5.0)):
        previous, current, out = np.zeros(model.nq), np.zeros(model.nq), np.zeros(model.nq)
        previous[ball] = older
        current[ball : ball + 4] = newer * quarter
        evenstep.blend_qpos(model, previous, current, 0.5, out)
        np.testing.assert_allclose(out[ball : ball + 4], eighth, atol=1e-6)


def test_positions_that_cannot_be_blended_are_refused_with_the_reason() -> None:
    simulation = arm.Simulation()
    model, qpos = simulation.model, simulation.data.qpos
    with pytest.raises(evenstep.Error, match="previous has 3 numbers, current 13"):
        evenstep.blend_qpos(model, np.zeros(3), qpos, 0.5, qpos.copy())
    with pytest.raises(evenstep.Error, match="another model"):
        evenstep.blend_qpos(model, np.zeros(3), np.zeros(3), 0.5, np.zeros(3))
    with pytest.raises(evenstep.Error, match="alpha is from 0 to 1"):
        evenstep.blend_qpos(model, qpos, qpos, float("nan"), qpos.copy())
    with pytest.raises(TypeError, match="previous is an array of float64"):
        evenstep.blend_qpos(model, np.zeros(13, np.float32), qpos, 0.5, qpos.copy())
    with pytest.raises(TypeError, match="out is an array of float64"):
        evenstep.blend_qpos(model, qpos, qpos, 0.5, np.zeros(13, np.float32))
    swapped = qpos.astype(qpos.dtype.newbyteorder())
    with pytest.raises(TypeError, match="current is an array of float64 in this machine's byte order"):
        evenstep.blend_qpos(model, qpos, swapped, 0.5, qpos.copy())
    with pytest.raises(TypeError, match="out is an array of float64 in this machine's byte order"):
        evenstep.blend_qpos(model, qpos, qpos, 0.5, swapped)
