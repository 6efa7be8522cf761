const colors = ['#a2381b', '#0969da', '#1a7f37', '#8250df', '#bf3989', '#9a6700', '#1b7c83', '#57606a']
const side = 5

/** Returns a mirrored 5 × 5 pattern as SVG, computed from the text alone. */
export function identicon(text: string): string {
  const bits = hash(text)
  const color = colors[bits % colors.length]
  const cells: string[] = []
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const mirrored = Math.min(column, side - 1 - column)
      if ((bits >>> (row * 3 + mirrored + 5)) & 1) cells.push(`M${column + 1} ${row + 1}h1v1h-1z`)
    }
  }
  const shapes = `<rect width="7" height="7" fill="#eef1f4"/><path fill="${color}" d="${cells.join('')}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7" width="420" height="420" shape-rendering="crispEdges">${shapes}</svg>`
}

/** Returns the FNV-1a hash with a final mix, so that neighboring IDs get different patterns. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of `guildhall:${text}`) {
    value = Math.imul(value ^ character.charCodeAt(0), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
