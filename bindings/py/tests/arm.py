"""A simulation of MuJoCo: an arm, a ball on a socket and a falling box."""

import hashlib
from fractions import Fraction

import mujoco

import evenstep

MODEL = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body pos="0 0 1.2">
      <joint name="shoulder" type="hinge" axis="0 1 0" damping=".05"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".04"/>
      <body pos=".5 0 0">
        <joint name="wrist" type="ball" damping=".01"/>
        <geom type="capsule" fromto="0 0 0 .3 .1 0" size=".03"/>
      </body>
    </body>
    <body pos="-.6 0 .5">
      <joint name="rail" type="slide" axis="0 1 0"/>
      <geom type="sphere" size=".08"/>
    </body>
    <body name="box" pos="-.6 .8 .6" quat=".9 .3 .2 .1">
      <freejoint/>
      <geom type="box" size=".1 .12 .08"/>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder" gear="2"/></actuator>
</mujoco>
"""


class Simulation:
    """A model, its state, and the interpolated positions to draw."""

    def __init__(self) -> None:
        self.model = mujoco.MjModel.from_xml_string(MODEL)
        self.data = mujoco.MjData(self.model)
        self.drawn = mujoco.MjData(self.model)
        self.data.qvel[-1] = 8  # the box spins
        self.previous = self.data.qpos.copy()
        # The exact rate of the model's steps: 1/0.002 Hz.
        self.rate = 1 / Fraction(str(self.model.opt.timestep))

    def step(self, tick: int) -> None:
        self.previous[:] = self.data.qpos
        self.data.ctrl[0] = 1 if tick // 250 % 2 == 0 else -1
        mujoco.mj_step(self.model, self.data)

    def draw(self, alpha: float) -> None:
        evenstep.blend_qpos(self.model, self.previous, self.data.qpos, alpha, self.drawn.qpos)
        mujoco.mj_kinematics(self.model, self.drawn)

    def hash(self) -> str:
        state = self.data.qpos.tobytes() + self.data.qvel.tobytes()
        return hashlib.sha256(state).hexdigest()[:16]
