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

// All messages of a statement with parameters, which commits by itself: Parse, Bind, Describe, Execute, Close, Sync.
// Statements without parameters are sent as another message, which can contain several of them.
const ofStatement = new Set([...'PBDECS'].map(letter))
const parse = letter('P')
const sync = letter('S')
const readyForQuery = letter('Z')
const idle = letter('I')

/** Returns whether messages may begin something that does not end with their response, such as a transaction. */
export function mayBeginSomething(messages: Uint8Array): boolean {
  let last = 0
  for (const { type, start, end } of messagesIn(messages)) {
    if (!ofStatement.has(type)) return true
    if (type === parse && !isOrdinary(messages.subarray(start, end))) return true
    last = type
  }
  return last !== sync
}

// White space, a mark, and the first word. A statement that begins later takes the session alone.
const maxBeginning = 100

// A name, then the text of the statement. Others control transactions, or change the session.
function isOrdinary(body: Uint8Array): boolean {
  const text = body.indexOf(0) + 1
  return ordinary.test(Buffer.from(body.subarray(text, text + maxBeginning)).toString('latin1'))
}

const ordinary = /^\s*(?:\/\* prepared \*\/\s*)?(?:select|insert|update|delete|with)\b/i

/** Returns whether a response ends by saying that no transaction is open. */
export function isIdle(response: Uint8Array): boolean {
  let last: number | undefined
  for (const { type, start } of messagesIn(response))
    last = type === readyForQuery ? response[start] : undefined
  return last === idle
}

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
