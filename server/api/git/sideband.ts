// Size of a packet, with four bytes of length and the number of the band.
const maxText = 65_520 - 5
const progressBand = 2

/** Converts lines to packets that Git prints after `remote: `, at any time before its response ends. */
export function sidebandLines(lines: readonly string[]): Buffer {
  return Buffer.concat(
    lines.map(line => {
      const text = Buffer.from(`${line}\n`).subarray(0, maxText)
      const length = (text.length + 5).toString(16).padStart(4, '0')
      return Buffer.concat([Buffer.from(length), Buffer.of(progressBand), text])
    }),
  )
}
