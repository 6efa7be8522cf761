import { expect, it } from 'vitest'
import { FrameReader, frameKind, sendFrames } from './wire'

function framesOf(kind: number, bytes: Uint8Array): Buffer {
  const written: Uint8Array[] = []
  const socket = {
    cork: () => undefined,
    uncork: () => undefined,
    write: (part: Uint8Array) => written.push(part) > 0,
  }
  sendFrames(socket, kind, bytes)
  return Buffer.concat(written)
}

it('FrameReader returns the sent frames regardless of how the bytes are split', () => {
  const sent = Buffer.concat([
    framesOf(frameKind.request, Buffer.from('{}')),
    framesOf(frameKind.input, Buffer.alloc(0)),
    framesOf(frameKind.output, Buffer.from('refs')),
  ])
  for (let cut = 0; cut <= sent.length; cut++) {
    const reader = new FrameReader()
    const frames = [...reader.read(sent.subarray(0, cut)), ...reader.read(sent.subarray(cut))]
    expect(frames.map(({ kind, bytes }) => [kind, bytes.toString()])).toEqual([
      [frameKind.request, '{}'],
      [frameKind.input, ''],
      [frameKind.output, 'refs'],
    ])
  }
})

it('sendFrames splits long data into several frames, and FrameReader rejects a longer frame before it has arrived', () => {
  const frames = new FrameReader().read(framesOf(frameKind.output, Buffer.alloc(150_000, 1)))
  expect(frames.map(({ bytes }) => bytes.length)).toEqual([65_536, 65_536, 18_928])
  expect(() => new FrameReader().read(Buffer.from([frameKind.output, 0, 1, 0, 1]))).toThrow('too long')
})
