/** Whether Git is asked for the type and size of objects only, or also for their content. */
export type Command = 'info' | 'contents'

export interface Header {
  sha: string
  type: string
  /** Size of the content in bytes. */
  size: number
}

/** An object as Git returned it. Without `text`, its content was not asked for, or Git could not read it. */
export interface Answer extends Header {
  /** The content, truncated to the length that was asked for. */
  text?: Buffer
}

/** Questions for one `git cat-file` process, which answers them in order. */
export interface Asked {
  command: Command
  /** Names of objects with one character per byte, without line breaks. */
  names: readonly string[]
  /** How much of each content is kept, in bytes. */
  maxText: number
  /** Called with each answer; undefined if the object does not exist or its name is ambiguous. */
  take(answer: Answer | undefined): void
}

/** A content that has not arrived completely: how much of it is kept in `text`, and how much is left. */
interface Content {
  header: Header
  text: Buffer
  length: number
  left: number
}

const lineFeed = 10

// Longest header without the name: an ID of SHA-256, a type and a size.
const maxHeader = 128

const header = /^([0-9a-f]{40}|[0-9a-f]{64}) (blob|tree|commit|tag) (\d{1,15})$/
const submodule = /^[0-9a-f]{40,64} submodule$/

/**
 * Parses the output of `git cat-file` in batch mode. Content is skipped by its size and never searched, so
 * that no object can imitate an answer.
 */
export class AnswerParser {
  /** Number of complete answers. */
  answered = 0
  #line = ''
  #content: Content | undefined

  constructor(private readonly asked: Asked) {}

  get isDone(): boolean {
    return this.answered === this.asked.names.length
  }

  /** Header of the object whose content has not arrived completely. */
  get incomplete(): Header | undefined {
    return this.#content?.header
  }

  /**
   * Reads the next part of the output.
   * @throws {Error} if it does not answer what was asked
   */
  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.isDone) throw new Error('printed more than it was asked for')
      at = this.#content ? this.#takeContent(this.#content, chunk, at) : this.#takeLine(chunk, at)
    }
  }

  #takeLine(chunk: Buffer, at: number): number {
    const name = this.asked.names[this.answered] ?? ''
    const found = chunk.indexOf(lineFeed, at)
    const end = found < 0 ? chunk.length : found
    if (this.#line.length + end - at > name.length + maxHeader) throw new Error('printed too long a line')
    this.#line += chunk.toString('latin1', at, end)
    if (found < 0) return end
    const line = this.#line
    this.#line = ''
    this.#begin(parseHeader(line, name))
    return end + 1
  }

  #begin(found: Header | undefined): void {
    if (!found || this.asked.command === 'info') return void this.#answer(found)
    // Not from Node's pool, of which one short text that is kept would hold 8 KiB.
    const text = Buffer.allocUnsafeSlow(Math.min(found.size, this.asked.maxText))
    // A line feed follows the content.
    this.#content = { header: found, text, length: 0, left: found.size + 1 }
  }

  #takeContent(content: Content, chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + content.left)
    content.left -= end - at
    const isLast = content.left === 0
    content.length += chunk.copy(content.text, content.length, at, isLast ? end - 1 : end)
    if (!isLast) return end
    if (chunk[end - 1] !== lineFeed) throw new Error('printed an object of another size than it said')
    this.#content = undefined
    this.#answer({ ...content.header, text: content.text })
    return end
  }

  #answer(answer: Answer | undefined): void {
    this.answered++
    this.asked.take(answer)
  }
}

function parseHeader(line: string, name: string): Header | undefined {
  const [, sha, type, size] = header.exec(line) ?? []
  if (sha && type) return { sha, type, size: Number(size) }
  const isAbsent = line === `${name} missing` || line === `${name} ambiguous` || submodule.test(line)
  if (!isAbsent) throw new Error('printed an answer to another question')
  return undefined
}
