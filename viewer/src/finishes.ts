// What surfaces look like: patterns made by formula, laid on in metres whatever the mesh, and the
// materials that carry them. Nothing is loaded.

import * as THREE from 'three';
import { lightByRoom } from './light';
import type { Finish } from './playback';

// How many places of a pattern a point seen aslant may look at.
export const SHARPNESS = { value: 4 };

const SIZE = 256; // px of a pattern, which repeats

// ------------------------------------------------------------------------------------------
// Noise that repeats after `period` cells.

function hash(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed, 1274126177);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

function noise(x: number, y: number, px: number, py: number, seed: number): number {
  const i = Math.floor(x), j = Math.floor(y), u = x - i, v = y - j;
  const at = (a: number, b: number) => hash(((a % px) + px) % px, ((b % py) + py) % py, seed);
  const su = u * u * (3 - 2 * u), sv = v * v * (3 - 2 * v);
  const low = at(i, j) + su * (at(i + 1, j) - at(i, j));
  const high = at(i, j + 1) + su * (at(i + 1, j + 1) - at(i, j + 1));
  return low + sv * (high - low);
}

// Octaves of noise around 0.5; u and v go from 0 to 1 over the pattern.
function clouds(u: number, v: number, cu: number, cv: number, octaves: number, seed: number): number {
  let sum = 0, weight = 0.5, total = 0;
  for (let o = 0; o < octaves; o++, cu *= 2, cv *= 2, weight /= 2) {
    sum += weight * noise(u * cu, v * cv, cu, cv, seed + o);
    total += weight;
  }
  return sum / total;
}

// Brightness from 0 to 1, 0.5 being the colour as it is; the pattern covers so many metres.
interface Pattern {
  metres: number;
  strength: number;
  value(u: number, v: number): number;
}

const PATTERNS: Partial<Record<Finish, Pattern>> = {
  carpet: {
    metres: 0.5, strength: 0.5,
    value: (u, v) => 0.5 * noise(u * 128, v * 128, 128, 128, 1) + 0.3 * noise(u * 60, v * 60, 60, 60, 2)
      + 0.2 * clouds(u, v, 3, 3, 3, 3),
  },
  grass: {
    metres: 1, strength: 0.42,
    value: (u, v) => 0.4 * noise(u * 128, v * 40, 128, 40, 4) + 0.3 * noise(u * 50, v * 110, 50, 110, 5)
      + 0.3 * clouds(u, v, 4, 4, 4, 6),
  },
  cloth: {
    metres: 0.16, strength: 0.24,
    value: (u, v) => 0.6 * noise(u * 90, v * 90, 90, 90, 7) + 0.4 * noise(u * 128, v * 30, 128, 30, 8),
  },
  wood: {
    metres: 0.8, strength: 0.5,
    value: (u, v) => {
      const bend = 0.05 * clouds(u, v, 2, 2, 3, 9);
      const rings = 0.5 + 0.5 * Math.sin(2 * Math.PI * (7 * v + 14 * bend + 0.7 * clouds(u, v, 2, 5, 3, 10)));
      return 0.35 * rings + 0.3 * clouds(u, v, 3, 64, 2, 11) + 0.2 + 0.15 * clouds(u, v, 2, 3, 3, 12);
    },
  },
  asphalt: {
    metres: 1.6, strength: 0.6,
    value: (u, v) => 0.55 * noise(u * 110, v * 110, 110, 110, 13) + 0.2 * noise(u * 50, v * 50, 50, 50, 14)
      + 0.25 * clouds(u, v, 3, 3, 4, 15),
  },
  concrete: {
    metres: 2.4, strength: 0.28,
    value: (u, v) => 0.7 * clouds(u, v, 4, 4, 5, 16) + 0.3 * noise(u * 120, v * 120, 120, 120, 17),
  },
  metal: {
    metres: 0.3, strength: 0.22,
    value: (u, v) => clouds(u, v, 2, 100, 2, 18),
  },
};

// Patterns are small and few; the mean is brought to 0.5, so that from afar the colour is kept.
function paint({ value }: Pattern): THREE.DataTexture {
  const values = new Float32Array(SIZE * SIZE);
  let sum = 0;
  for (let j = 0, k = 0; j < SIZE; j++) {
    for (let i = 0; i < SIZE; i++, k++) sum += values[k] = value(i / SIZE, j / SIZE);
  }
  const shift = 0.5 - sum / values.length;
  const bytes = Uint8Array.from(values, (v) => Math.min(Math.max((v + shift) * 255, 0), 255));
  const texture = new THREE.DataTexture(bytes, SIZE, SIZE, THREE.RedFormat);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.magFilter = THREE.LinearFilter;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = SHARPNESS.value;
  texture.needsUpdate = true;
  return texture;
}

const painted = new Map<Finish, THREE.DataTexture>();

function textureOf(finish: Finish, pattern: Pattern): THREE.DataTexture {
  let texture = painted.get(finish);
  if (!texture) painted.set(finish, texture = paint(pattern));
  return texture;
}

// Numbers on balls, four in a row.
let digits: THREE.CanvasTexture | null = null;

function numberTexture(): THREE.CanvasTexture {
  if (digits) return digits;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 640;
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, 640, 640);
  context.fillStyle = '#151515';
  context.font = 'bold 40px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let n = 0; n < 100; n++) {
    context.fillText(n ? String(n) : '', (n % 10) * 64 + 32, Math.floor(n / 10) * 64 + 34);
  }
  digits = new THREE.CanvasTexture(canvas);
  digits.flipY = false;
  digits.anisotropy = 4;
  return digits;
}

// ------------------------------------------------------------------------------------------
// Materials. `local` is where a point is in its own frame, in metres: a mesh's instances carry
// their size in the scale of their matrices.

const VERTEX_HEAD = `
  varying vec3 vLocal, vAxis, vScale;
  #ifdef BALL
    attribute vec2 ball;
    varying vec2 vBall;
  #endif
`;
const VERTEX_BODY = `
  #ifdef USE_INSTANCING
    vScale = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
  #else
    vScale = vec3(1.0);
  #endif
  vLocal = position * vScale;
  vAxis = normal;
  #ifdef BALL
    vBall = ball;
  #endif
`;
const FRAGMENT_HEAD = `
  varying vec3 vLocal, vAxis, vScale;
  uniform sampler2D pattern;
  uniform float metres, strength;
  #ifdef BALL
    varying vec2 vBall;
    uniform sampler2D digits;
  #endif
  vec2 onFace() {
    vec3 a = abs(vAxis);
    return a.z >= a.x && a.z >= a.y ? vLocal.xy : a.x >= a.y ? vLocal.yz : vLocal.xz;
  }
`;

// What each finish does to the colour before light falls on it.
const FRAGMENTS: Partial<Record<Finish, string>> = {
  wood: `
    vec2 at = onFace();
    vec3 a = abs(vAxis);
    vec2 size = a.z >= a.x && a.z >= a.y ? vScale.xy : a.x >= a.y ? vScale.yz : vScale.xz;
    if (size.y > size.x) at = at.yx;
    diffuseColor.rgb *= mix(1.0, 2.0 * texture2D(pattern, at / metres).r, strength);`,
  grass: `
    diffuseColor.rgb *= mix(1.0, 2.0 * texture2D(pattern, vLocal.xy / metres).r, strength);
    float mown = smoothstep(-0.06, 0.06, sin(vLocal.x * 3.14159265 / mowing));
    diffuseColor.rgb *= 0.965 + 0.07 * mown;`,
  striped: '', gloss: '', golf: '',
  robot: `
    vec3 lid = diffuseColor.rgb;
    float r = length(vLocal.xy);
    bool top = vAxis.z > 0.5;
    if (!top) {
      float rim = smoothstep(0.72, 0.76, vLocal.z / max(vScale.z, 1e-6));
      diffuseColor.rgb = mix(vec3(0.025, 0.028, 0.034), lid, rim);
    } else {
      float wedge = step(abs(vLocal.y), 0.32 * (0.062 - vLocal.x)) * step(0.028, vLocal.x) * step(vLocal.x, 0.062);
      float dot = 1.0 - smoothstep(0.019, 0.0205, r);
      diffuseColor.rgb = mix(mix(lid, vec3(0.92), wedge), vec3(0.02), dot);
      diffuseColor.rgb = mix(diffuseColor.rgb, lid * 0.55, smoothstep(0.08, 0.082, r));
    }`,
  pin: `
    float z = vLocal.z / max(vScale.z, 1e-6);
    float band = max(step(abs(z - 0.3), 0.05), step(abs(z - 0.46), 0.05));
    diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.55, 0.02, 0.03), band);`,
  net: `
    vec2 at = onFace() / 0.03, cell = abs(fract(at) - 0.5), soft = clamp(fwidth(at), 0.02, 0.5);
    vec2 thread = smoothstep(0.42 - soft, 0.42 + soft, cell);
    diffuseColor.a = mix(max(thread.x, thread.y), 0.35, smoothstep(0.25, 0.5, max(soft.x, soft.y)));`,
};
const BALL = `
  vec3 p = normalize(vLocal);
  if (vBall.x > 0.5) diffuseColor.rgb = mix(vec3(0.86, 0.84, 0.78), diffuseColor.rgb, 1.0 - smoothstep(0.5, 0.53, abs(p.z)));
  if (vBall.y > 0.5 && abs(p.x) > 0.8) {
    float r = length(p.yz);
    vec2 cell = vec2(mod(vBall.y, 10.0), floor(vBall.y / 10.0));
    vec2 uv = vec2(p.y * sign(p.x), -p.z) / 0.9 + 0.5;
    vec3 paper = texture2D(digits, (cell + clamp(uv, 0.02, 0.98)) / 10.0).rgb;
    diffuseColor.rgb = mix(paper * vec3(0.9, 0.88, 0.82), diffuseColor.rgb, smoothstep(0.42, 0.44, r));
  }`;

const LOOKS: Record<Finish, THREE.MeshStandardMaterialParameters> = {
  plain: { roughness: 0.55, metalness: 0.02 },
  carpet: { roughness: 1 }, grass: { roughness: 0.95 }, cloth: { roughness: 0.95 },
  wood: { roughness: 0.55 }, asphalt: { roughness: 0.9 }, concrete: { roughness: 0.88 },
  metal: { roughness: 0.32, metalness: 0.75 }, rubber: { roughness: 0.9 },
  gloss: { roughness: 0.12 }, striped: { roughness: 0.12 }, golf: { roughness: 0.35 },
  net: { roughness: 0.8, side: THREE.DoubleSide, transparent: true, depthWrite: false }, robot: { roughness: 0.42 },
  car: { roughness: 0.25, metalness: 0.35 }, pin: { roughness: 0.22 }, hidden: {},
};

const MIRRORS_NOTHING = 0.8; // as rough as this

export const MOWING = { value: 0.5 }; // m, the width of a mown stripe

export type Surface = THREE.MeshStandardMaterial | THREE.MeshLambertMaterial;

// What is rough mirrors nothing, and is most of the picture: it is drawn for a quarter of the cost.
function bareMaterial({ roughness, metalness, ...looks }: THREE.MeshStandardMaterialParameters): Surface {
  return (roughness ?? 1) >= MIRRORS_NOTHING ? new THREE.MeshLambertMaterial(looks)
    : new THREE.MeshStandardMaterial({ ...looks, roughness, metalness: metalness ?? 0 });
}

function colouring(finish: Finish, ball: boolean): string {
  if (ball) return BALL;
  return FRAGMENTS[finish] ?? (PATTERNS[finish]
    ? 'diffuseColor.rgb *= mix(1.0, 2.0 * texture2D(pattern, onFace() / metres).r, strength);' : '');
}

// A material with that finish. ball: its geometry has the attribute `ball` (striped, number).
export function finishMaterial(
  finish: Finish, more: THREE.MeshStandardMaterialParameters = {}, ball = false,
): Surface {
  const material = bareMaterial({ ...LOOKS[finish], ...more });
  const pattern = PATTERNS[finish], code = colouring(finish, ball);
  material.forceSinglePass = true; // nothing here is seen through from both sides
  material.customProgramCacheKey = () => `${code ? finish : ''} ${ball}`;
  material.onBeforeCompile = (shader) => {
    shader.uniforms.pattern = { value: pattern ? textureOf(finish, pattern) : null };
    shader.uniforms.metres = { value: pattern?.metres ?? 1 };
    shader.uniforms.strength = { value: pattern?.strength ?? 0 };
    shader.uniforms.mowing = MOWING;
    if (ball) shader.uniforms.digits = { value: numberTexture() };
    const define = ball ? '#define BALL\n' : '';
    lightByRoom(shader, 'roughness' in material);
    if (!code) return;
    shader.vertexShader = define + VERTEX_HEAD + shader.vertexShader
      .replace('#include <begin_vertex>', `#include <begin_vertex>\n${VERTEX_BODY}`);
    shader.fragmentShader = define + FRAGMENT_HEAD + (finish === 'grass' ? 'uniform float mowing;\n' : '')
      + shader.fragmentShader.replace('#include <color_fragment>', `#include <color_fragment>\n${code}`);
  };
  return material;
}
