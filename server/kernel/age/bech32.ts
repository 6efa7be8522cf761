const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const checksumLength = 6

/** Encodes bytes in Bech32 (BIP 173) with a prefix, in lowercase. */
export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  const words = regroup(bytes, 8, 5)
  const sum = polymod([...expand(prefix), ...words, ...Array<number>(checksumLength).fill(0)]) ^ 1
  const checksum = Array.from({ length: checksumLength }, (_, index) => (sum >>> (5 * (5 - index))) & 31)
  return `${prefix}1${[...words, ...checksum].map(word => alphabet[word]).join('')}`
}

/** Decodes Bech32 text with this prefix, in lowercase or uppercase; undefined if it is not valid. */
export function decodeBech32(prefix: string, text: string): Buffer | undefined {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return undefined
  if (!lower.startsWith(`${prefix}1`)) return undefined
  const words = [...lower.slice(prefix.length + 1)].map(character => alphabet.indexOf(character))
  if (words.length < checksumLength || words.includes(-1)) return undefined
  if (polymod([...expand(prefix), ...words]) !== 1) return undefined
  return Buffer.from(regroup(words.slice(0, -checksumLength), 5, 8))
}

// The last group is padded with zeros when encoding. Decoding drops that padding.
function regroup(values: Iterable<number>, from: number, to: number): number[] {
  const groups: number[] = []
  let [held, bits] = [0, 0]
  for (const value of values) {
    held = (held << from) | value
    bits += from
    while (bits >= to) {
      bits -= to
      groups.push((held >>> bits) & ((1 << to) - 1))
      held &= (1 << bits) - 1
    }
  }
  if (to < from && bits > 0) groups.push((held << (to - bits)) & ((1 << to) - 1))
  return groups
}

function expand(prefix: string): number[] {
  const codes = [...prefix].map(character => character.charCodeAt(0))
  return [...codes.map(code => code >> 5), 0, ...codes.map(code => code & 31)]
}

function polymod(words: readonly number[]): number {
  let sum = 1
  for (const word of words) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ word
    generator.forEach((term, index) => {
      if ((top >>> index) & 1) sum ^= term
    })
  }
  return sum >>> 0
}
