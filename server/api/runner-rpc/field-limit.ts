import { tooLarge } from '@/server/kernel/errors'

/** Maximum number of fields in an encoded protobuf message. */
export interface FieldLimit {
  max: number
  /** Numbers of the fields whose messages are counted, too. */
  nested?: readonly number[]
  /** Whether fields beyond the limit are dropped, because the client sends them again. */
  cuts?: boolean
}

/**
 * Applies a field limit to an encoded message. A field can take only two bytes on the wire, but takes
 * hundreds in memory.
 * @throws {DomainError} tooLarge if there are too many fields and they cannot be dropped.
 */
export function limitFields(bytes: Uint8Array, { max, nested = [], cuts = false }: FieldLimit): Uint8Array {
  let count = 0
  for (const field of fieldsOf(bytes)) {
    count++
    if (nested.includes(field.number)) {
      for (const _ of fieldsOf(bytes.subarray(field.start, field.end))) if (++count > max) break
    }
    if (count <= max) continue
    if (cuts) return bytes.subarray(0, field.at)
    throw tooLarge(`the message must have at most ${max} fields`)
  }
  return bytes
}

interface Field {
  number: number
  at: number
  /** Offset of the field's content. */
  start: number
  end: number
}

/**
 * Yields the fields of an encoded message, and stops at the first invalid one. The decoder then rejects the
 * message.
 */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  for (let at = 0; at < bytes.length; ) {
    const tag = varintAt(bytes, at)
    const end = tag && endOf(bytes, tag)
    if (!end || end.end > bytes.length) return
    yield { number: Math.floor(tag.value / 8), at, ...end }
    at = end.end
  }
}

interface Varint {
  value: number
  next: number
}

function endOf(bytes: Uint8Array, { value, next }: Varint): { start: number; end: number } | undefined {
  switch (value % 8) {
    case 0: {
      const end = varintAt(bytes, next)?.next
      return end === undefined ? undefined : { start: next, end }
    }
    case 1:
      return { start: next, end: next + 8 }
    case 2: {
      const length = varintAt(bytes, next)
      return length && { start: length.next, end: length.next + length.value }
    }
    case 5:
      return { start: next, end: next + 4 }
    default:
      return undefined
  }
}

function varintAt(bytes: Uint8Array, at: number): Varint | undefined {
  let value = 0
  for (let index = 0; index < 10; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return { value, next: at + index + 1 }
  }
  return undefined
}
