// Blending of rotations between two states, in single precision: the same bits as in Rust and C.

const f = Math.fround;

/** Terms of the series between rotations of any angle. */
const TERMS = 13;

/** Below this 1 - cos φ, two rotations are near, and three terms are enough. */
const NEAR = 1 / 32;

/** What the last of 13 terms counts for, because the series goes on. */
const LAST = f(1.91);

const V: Float32Array = Float32Array.from({ length: TERMS + 1 }, (_, k) => f(k / (2 * k + 1)));
const U: Float32Array = Float32Array.from({ length: TERMS + 1 }, (_, k) => (k === 0 ? 0 : f(1 / (k * (2 * k + 1)))));

/**
 * The coefficients of both states' weights at an alpha: series in 1 - cos φ for sin(s φ) / sin φ (D. Eberly, *A Fast and Accurate
 * Algorithm for Computing SLERP*, 2011). They depend on alpha alone, so a frame computes them once.
 */
export class Weights {
  alpha = 0;
  readonly older: Float32Array = new Float32Array(TERMS + 1);
  readonly newer: Float32Array = new Float32Array(TERMS + 1);

  set(alpha: number): void {
    this.alpha = f(alpha);
    coefficients(this.older, f(1 - this.alpha));
    coefficients(this.newer, this.alpha);
  }
}

function coefficients(c: Float32Array, s: number): void {
  const square = f(s * s);
  c[0] = s;
  for (let k = 1; k <= TERMS; k++) c[k] = f(c[k - 1]! * f(V[k]! - f(U[k]! * square)));
  c[TERMS] = f(c[TERMS]! * LAST);
}

function sum(c: Float32Array, u: number): number {
  let w = c[TERMS]!;
  for (let k = TERMS - 1; k >= 0; k--) w = f(f(w * u) + c[k]!);
  return w;
}

function nearSum(c: Float32Array, u: number): number {
  return f(f(f(f(f(f(c[3]! * u) + c[2]!) * u) + c[1]!) * u) + c[0]!);
}

/** A number between two. */
export function between(a: number, b: number, alpha: number): number {
  return f(a - f(f(a - b) * alpha));
}

/** Blends the quaternions that lie at `at` in two arrays, the shorter way, to the same place of a third. */
export function blendQuaternion(older: Float32Array, newer: Float32Array, at: number, weights: Weights, out: Float32Array): void {
  const x = older[at]!;
  const y = older[at + 1]!;
  const z = older[at + 2]!;
  const w = older[at + 3]!;
  let i = newer[at]!;
  let j = newer[at + 1]!;
  let k = newer[at + 2]!;
  let l = newer[at + 3]!;
  const d = f(f(f(f(x * i) + f(y * j)) + f(z * k)) + f(w * l));
  if (d < 0) {
    i = -i;
    j = -j;
    k = -k;
    l = -l;
  }
  if (x === i && y === j && z === k && w === l) {
    out[at] = x;
    out[at + 1] = y;
    out[at + 2] = z;
    out[at + 3] = w;
    return;
  }
  const u = f(1 - Math.abs(d));
  const p = u < NEAR ? nearSum(weights.older, u) : sum(weights.older, u);
  const q = u < NEAR ? nearSum(weights.newer, u) : sum(weights.newer, u);
  const rx = f(f(x * p) + f(i * q));
  const ry = f(f(y * p) + f(j * q));
  const rz = f(f(z * p) + f(k * q));
  const rw = f(f(w * p) + f(l * q));
  const square = f(f(f(f(rx * rx) + f(ry * ry)) + f(rz * rz)) + f(rw * rw));
  const scale = f(f(1.5) - f(f(0.5) * square));
  out[at] = f(rx * scale);
  out[at + 1] = f(ry * scale);
  out[at + 2] = f(rz * scale);
  out[at + 3] = f(rw * scale);
}

/** Blends the directions, cosine and sine, alike. */
export function blendDirection(older: Float32Array, newer: Float32Array, at: number, weights: Weights, out: Float32Array): void {
  const cos = older[at]!;
  const sin = older[at + 1]!;
  const x = newer[at]!;
  const y = newer[at + 1]!;
  if (cos === x && sin === y) {
    out[at] = cos;
    out[at + 1] = sin;
    return;
  }
  const c = f(f(cos * x) + f(sin * y));
  const rest = f(1 - c);
  if (rest < NEAR) {
    const p = nearSum(weights.older, rest);
    const q = nearSum(weights.newer, rest);
    return unit(f(f(cos * p) + f(x * q)), f(f(sin * p) + f(y * q)), out, at);
  }
  const s = f(f(cos * y) - f(sin * x));
  // Half of the turn between them, as quaternions have it: 1 / √v by two steps of Newton's method.
  const v = f(f(0.5) + f(f(0.5) * Math.abs(c)));
  let r = f(f(2.2255) + f(v * f(f(-2.0428) + f(v * f(0.82)))));
  r = f(r * f(f(1.5) - f(f(f(f(0.5) * v) * r) * r)));
  r = f(r * f(f(1.5) - f(f(f(f(0.5) * v) * r) * r)));
  const big = f(v * r);
  const small = f(f(f(0.5) * Math.abs(s)) * r);
  const hc = c < 0 ? small : big;
  const half = c < 0 ? big : small;
  const hs = s < 0 ? -half : half;
  const u = f(1 - hc);
  const p = sum(weights.older, u);
  const q = sum(weights.newer, u);
  const pc = f(p + f(q * hc));
  const ps = f(q * hs);
  const tc = f(f(pc * pc) - f(ps * ps));
  const ts = f(2 * f(pc * ps));
  unit(f(f(cos * tc) - f(sin * ts)), f(f(sin * tc) + f(cos * ts)), out, at);
}

/** Writes a direction with a length near one as one of length one. */
function unit(cos: number, sin: number, out: Float32Array, at: number): void {
  const scale = f(f(1.5) - f(f(0.5) * f(f(cos * cos) + f(sin * sin))));
  out[at] = f(cos * scale);
  out[at + 1] = f(sin * scale);
}
