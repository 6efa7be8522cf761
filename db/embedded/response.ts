/** Fields of an error that the engine reports. */
export interface Fields {
  severity?: string
  code?: string
  message?: string
}

const letter = (text: string): number => text.charCodeAt(0)

// Messages after which a session reports that it is ready for the next one.
const ends = new Set([letter('Q'), letter('S')])
// ReadyForQuery, and the responses that start a copy.
const answers = new Set(['Z', 'G', 'H', 'W'].map(letter))
const error = letter('E')

/** Returns the errors in a response. */
export function failuresIn(response: Uint8Array): Fields[] {
  const failures: Fields[] = []
  for (const { type, start, end } of messagesIn(response)) {
    if (type === error) failures.push(fieldsOf(response.subarray(start, end)))
  }
  return failures
}

/** Returns whether a session that executed these messages says that it is ready for the next ones. */
export const asksForReady = (messages: Uint8Array): boolean => contains(messages, ends)

/**
 * Returns whether a response says that the session is ready. PGlite hides most WebAssembly traps and then returns
 * no response.
 */
export const isReady = (response: Uint8Array): boolean => contains(response, answers)

function contains(bytes: Uint8Array, types: ReadonlySet<number>): boolean {
  for (const { type } of messagesIn(bytes)) if (types.has(type)) return true
  return false
}

// A type, then the length of the rest, including the length itself.
function* messagesIn(bytes: Uint8Array): Generator<{ type: number; start: number; end: number }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + view.getUint32(at + 1)
    yield { type: bytes[at] as number, start: at + 5, end }
    at = end
  }
}

const names: Record<string, keyof Fields> = { V: 'severity', C: 'code', M: 'message' }

// A sequence of a letter and a text that ends with a zero byte.
function fieldsOf(body: Uint8Array): Fields {
  const fields: Fields = {}
  for (const field of Buffer.from(body).toString('utf8').split('\0')) {
    const name = names[field.charAt(0)]
    if (name) fields[name] = field.slice(1)
  }
  return fields
}
