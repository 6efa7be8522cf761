import { invalidKey } from './errors'

/**
 * Reader for the length-prefixed fields of an SSH public key or signature, in order.
 * @throws {DomainError} unprocessable, from every method, if the bytes are malformed.
 */
export class WireReader {
  #at = 0

  constructor(private readonly bytes: Buffer) {}

  readString(what: string): Buffer {
    const start = this.#at + 4
    if (start > this.bytes.length) throw endsEarly(what)
    const end = start + this.bytes.readUInt32BE(this.#at)
    if (end > this.bytes.length) throw endsEarly(what)
    this.#at = end
    return this.bytes.subarray(start, end)
  }

  /**
   * Reads a positive integer without its sign byte. Accepts only the shortest encoding, because another
   * encoding of the same key would have another fingerprint.
   */
  readPositive(what: string): Buffer {
    const field = this.readString(what)
    const [first, second] = field
    if (first === undefined) throw invalidKey(`the ${what} is zero; it must be positive`)
    if (first >= 0x80) throw invalidKey(`the ${what} is negative; it must be positive`)
    if (first !== 0) return field
    if (second === undefined || second < 0x80) {
      throw invalidKey(`the ${what} has unnecessary leading zeros; it must be in its shortest form`)
    }
    return field.subarray(1)
  }

  readEnd(): void {
    const left = this.bytes.length - this.#at
    if (left > 0) {
      throw invalidKey(
        `the key is followed by ${left} extra bytes; it must end with its last field, and any comment must follow a space`,
      )
    }
  }
}

function endsEarly(what: string): Error {
  return invalidKey(`the key is cut off (in its part "${what}"); copy the whole key`)
}
