import { StringDecoder } from 'node:string_decoder'

/** Thrown if the last line of a text is incomplete. */
export class UnfinishedLine extends Error {
  constructor() {
    super('the backup is damaged or truncated: it ends in the middle of a line')
  }
}

/**
 * Splits a stream into lines, without their line feeds.
 * @throws {UnfinishedLine} if the last line is incomplete
 */
export async function* readLines(source: AsyncIterable<string | Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  for await (const chunk of source) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk)
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      parts.push(text.slice(start, end))
      yield parts.join('')
      parts = []
      start = end + 1
    }
    parts.push(text.slice(start))
  }
  if (parts.join('') !== '') throw new UnfinishedLine()
}
