import { tooLarge } from '../errors'
import type { Meter } from './meter'

const mib = 1024 * 1024

/** How an object is cut. */
export interface Cut {
  pieceBytes: number
  /** How many pieces the storage takes. */
  mostPieces: number
}

/**
 * How long the pieces of an object are to be that may have so many bytes in so many pieces: all of one length, which some
 * servers want, from 8 MiB to 64 MiB, of which an upload holds three in memory.
 */
export function pieceBytesFor(expectedBytes: number, pieces: number): number {
  const fitting = Math.ceil(expectedBytes / pieces / mib) * mib
  return Math.min(Math.max(fitting, 8 * mib), 64 * mib)
}

// One is on its way while the next one fills.
const mostOnTheWay = 2

/**
 * Sends what a meter gives in pieces that are all `pieceBytes` long but the last, which may be shorter and is never empty. Returns
 * how many there were. When anything fails, the pieces on their way are aborted and have ended before this fails with it.
 * @throws {DomainError} tooLarge where there would be too many.
 */
export async function sendInPieces(
  { blocks }: Meter,
  { pieceBytes, mostPieces }: Cut,
  send: (piece: Buffer, number: number, signal: AbortSignal) => Promise<unknown>,
): Promise<number> {
  const giveUp = new AbortController()
  const onTheWay = new Set<Promise<unknown>>()
  let count = 0
  const begin = async (piece: Buffer) => {
    if (onTheWay.size >= mostOnTheWay) await Promise.race(onTheWay)
    if (count === mostPieces) throw tooLarge('the storage takes no file as large as this')
    const sending = send(piece, count++, giveUp.signal)
    onTheWay.add(sending)
    // One that failed stays, and fails whoever waits next.
    sending.then(() => onTheWay.delete(sending)).catch(() => undefined)
  }
  try {
    for await (const piece of piecesOf(blocks, pieceBytes)) await begin(piece)
    await Promise.all(onTheWay)
  } catch (error) {
    giveUp.abort()
    await Promise.allSettled(onTheWay)
    throw error
  }
  return count
}

async function* piecesOf(blocks: AsyncIterable<Uint8Array[]>, pieceBytes: number): AsyncGenerator<Buffer> {
  let piece = Buffer.alloc(0)
  let filled = 0
  for await (const block of blocks) {
    for (const chunk of block) {
      for (let taken = 0; taken < chunk.byteLength; ) {
        if (piece.length === 0) piece = Buffer.allocUnsafeSlow(pieceBytes)
        const count = Math.min(pieceBytes - filled, chunk.byteLength - taken)
        piece.set(chunk.subarray(taken, taken + count), filled)
        taken += count
        filled += count
        if (filled < pieceBytes) continue
        yield piece
        piece = Buffer.alloc(0)
        filled = 0
      }
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}
