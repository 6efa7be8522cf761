import { ServerResponse } from 'node:http'
import type { Coding } from './coding'
import { CollectedBytes, giveBack } from './collected-bytes'

/**
 * If nothing is written during one such interval, the page waits for something, and what was collected so far is
 * sent. On a busy server intervals last longer, because the page has to wait for its turn as well.
 */
const pauseMs = 25
/** The maximum number of intervals in which a response is collected. */
const maxIntervals = 20
/** Compressing less saves nothing. */
export const minBytes = 1024

// Next replaces the method by one that does nothing once the head counts as sent.
const { setHeader } = ServerResponse.prototype

/** The methods of a response before they were replaced. */
export type Send = Pick<ServerResponse, 'writeHead' | 'write' | 'end' | 'flushHeaders'>

/** The arguments of `write` and `end`. */
export type Written = [chunk?: unknown, encoding?: unknown, done?: unknown]

/** A response that is collected until it ends, and sent in parts as soon as it pauses. */
export class HeldResponse {
  private readonly collected = new CollectedBytes()
  private isEnded = false
  private stream: ReturnType<Coding['stream']> | undefined
  private flushing: NodeJS.Immediate | undefined
  private isRelaying = false
  private intervals = 0
  private isPausing = false
  private readonly timer = setInterval(() => {
    this.intervals += 1
    const { isEnded, response } = this
    if ((this.isPausing || this.intervals >= maxIntervals) && !isEnded && !response.destroyed)
      this.startStream()
    this.isPausing = true
  }, pauseMs)

  constructor(
    private readonly response: ServerResponse,
    private readonly send: Send,
    private readonly coding: Coding,
    private readonly takeWhole: (compressed: Buffer) => void,
  ) {
    response.once('close', () => {
      clearInterval(this.timer)
      this.stream?.destroy()
      giveBack(this.collected.take())
    })
  }

  write(written: Written): boolean {
    const { bytes, done } = readWritten(written)
    if (done) process.nextTick(done)
    if (this.stream) {
      this.flushSoon(this.stream)
      return this.stream.write(bytes)
    }
    if (this.isEnded || this.response.destroyed) return true
    this.isPausing = false
    return this.collected.add(bytes) || this.startStream().write(bytes)
  }

  end(written: Written): void {
    if (this.isEnded) return
    this.isEnded = true
    clearInterval(this.timer)
    const { bytes, done } = readWritten(written)
    if (done) this.response.once('finish', done)
    if (this.stream) this.stream.end(bytes)
    else this.encode(bytes)
  }

  private encode(last: Buffer): void {
    const isCollected = this.collected.length > 0 && this.collected.add(last)
    const collected = this.collected.take()
    const body = isCollected ? collected : Buffer.concat([collected, last])
    if (body.length < minBytes) {
      this.sendWhole(Buffer.from(body))
      giveBack(collected)
      return
    }
    this.coding.whole(body, (error, encoded) => {
      giveBack(collected)
      if (error) return void this.response.destroy(error)
      describeCoding(this.response, this.coding)
      if (this.response.destroyed) return
      this.sendWhole(encoded)
      this.takeWhole(encoded)
    })
  }

  private sendWhole(body: Buffer): void {
    const { response, send } = this
    if (response.destroyed) return
    setHeader.call(response, 'Content-Length', body.length)
    send.writeHead.call(response, response.statusCode)
    send.end.call(response, body, 'utf8')
  }

  private startStream(): ReturnType<Coding['stream']> {
    const { response, send, coding } = this
    clearInterval(this.timer)
    describeCoding(response, coding)
    response.removeHeader('Content-Length')
    send.writeHead.call(response, response.statusCode)
    const stream = coding.stream()
    this.stream = stream
    stream.on('data', (chunk: Buffer) => {
      if (!send.write.call(response, chunk, 'utf8')) stream.pause()
    })
    stream.on('end', () => send.end.call(response, undefined, 'utf8'))
    stream.on('error', error => void response.destroy(error))
    response.on('drain', () => {
      if (!this.isRelaying) stream.resume()
    })
    stream.on('drain', () => {
      this.isRelaying = true
      response.emit('drain')
      this.isRelaying = false
    })
    const collected = this.collected.take()
    stream.write(collected, () => giveBack(collected))
    this.flushSoon(stream)
    return stream
  }

  // Once for everything that is written together.
  private flushSoon(stream: ReturnType<Coding['stream']>): void {
    this.flushing ??= setImmediate(() => {
      this.flushing = undefined
      if (!stream.writableEnded && !stream.destroyed) this.coding.flush(stream)
    })
  }
}

function readWritten([chunk, ...rest]: Written): { bytes: Buffer; done: (() => void) | undefined } {
  const done = [chunk, ...rest].find(one => typeof one === 'function') as (() => void) | undefined
  if (typeof chunk === 'string') {
    const encoding = rest.find(one => typeof one === 'string') as BufferEncoding | undefined
    return { bytes: Buffer.from(chunk, encoding), done }
  }
  if (!(chunk instanceof Uint8Array)) return { bytes: Buffer.alloc(0), done }
  return { bytes: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), done }
}

function describeCoding(response: ServerResponse, { name }: Coding): void {
  setHeader.call(response, 'Content-Encoding', name)
  response.removeHeader('Accept-Ranges')
  // The bytes differ between codings, so the tag no longer names them.
  const tag = response.getHeader('etag')
  if (typeof tag === 'string' && !tag.startsWith('W/')) setHeader.call(response, 'ETag', `W/${tag}`)
}
