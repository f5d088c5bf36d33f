// Colours that carry a number or a name.

import * as THREE from 'three';

// Violet, blue, green, yellow: each step brighter than the last, for those who see no hues too.
const STOPS = [0x3b1d8f, 0x3557c4, 0x1f9aa8, 0x58c46a, 0xf3d63a].map((hex) => new THREE.Color(hex));

export function ramp(share: number, out = new THREE.Color()): THREE.Color {
  const at = Math.min(Math.max(share, 0), 1) * (STOPS.length - 1);
  const first = Math.min(Math.floor(at), STOPS.length - 2);
  return out.copy(STOPS[first]).lerp(STOPS[first + 1], at - first);
}

// As a picture for a legend.
export const RAMP_CSS = `linear-gradient(90deg, ${STOPS.map((c) => `#${c.getHexString()}`).join(', ')})`;

// The same name has the same colour everywhere: the hue is the name's. Names that are counted are far
// from those before and after: by the golden angle.
export function hue(label: string): number {
  const counted = /^(.*\D)(\d+)$/.exec(label);
  if (counted) return (hue(counted[1]) + Number(counted[2]) * 137.508) % 360;
  let sum = 7;
  for (const letter of label) sum = (sum * 31 + letter.codePointAt(0)!) % 3600;
  return sum / 10;
}
