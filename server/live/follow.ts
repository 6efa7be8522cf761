import { requireUsableAccount } from '@/server/auth/acting-account'
import { requireViewer } from '@/server/auth/require-viewer'
import { hubOf } from '@/server/events'
import { type Caller, isAnonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden, tooManyRequests, unavailable } from '@/server/kernel/errors'
import { addressNetwork } from '@/server/kernel/ip-address'
import { singleton } from '@/server/kernel/singleton'
import { keyOf } from './authorize'
import { type Board, createBoard } from './board'
import type { FollowInput } from './schema'
import { createStream, type StreamMessage, type Viewer } from './stream'

/** All open streams on one database. */
interface Live {
  board: Board
  /** The number of open streams per viewer. */
  shares: Map<string, number>
  isClosed: boolean
}

// A browser opens one stream for all its tabs, or one per tab if it cannot share.
const limits = { account: 20, network: 60, anonymous: 500, all: 2_000 }

// Clients then reconnect at random times, possibly to another process.
const lifetimeMs = 30 * 60_000

/**
 * Opens a stream of messages about the topics that the caller can access, until `disconnected` is aborted.
 * @throws {DomainError} viewerChanged if the page was rendered for someone else; forbidden if the caller is
 * not using a browser session or their account is restricted; tooManyRequests if too many streams are open;
 * unavailable while the process stops.
 */
export async function follow(
  ctx: ServiceCtx,
  input: FollowInput,
  disconnected: AbortSignal | undefined,
): Promise<AsyncGenerator<StreamMessage, void>> {
  requireViewer(ctx.caller, input.viewer)
  const viewer = viewerOf(ctx)
  const live = liveOf(ctx)
  const shares = takeShares(live, viewer)
  const topics = new Map(input.topics.map(topic => [keyOf(topic, viewer.session?.accountId), topic]))
  const endsAt = performance.now() + lifetimeMs * (0.9 + Math.random() / 10)
  const stream = createStream({ viewer, topics, endsAt }, over => {
    live.board.remove(over)
    for (const share of shares) add(live.shares, share, -1)
  })
  live.board.add(stream, input.lastEventId)
  if (disconnected?.aborted) stream.end()
  else disconnected?.addEventListener('abort', () => stream.end(), { once: true })
  return stream.messages()
}

/** Returns the current end position. A stream that starts after it misses nothing from now on. */
export const currentCursor = (ctx: ServiceCtx): string => liveOf(ctx).board.cursor()

/** Starts to remember signals, so that streams of other processes can resume in this one. */
export function startStreams(ctx: Pick<ServiceCtx, 'db' | 'clock' | 'log'>): void {
  liveOf(ctx)
}

/** Ends all streams when the process stops, and accepts no new ones. */
export function endStreams(ctx: Pick<ServiceCtx, 'db' | 'clock' | 'log'>): void {
  const live = liveOf(ctx)
  live.isClosed = true
  live.board.close()
}

function liveOf({ db, clock, log }: Pick<ServiceCtx, 'db' | 'clock' | 'log'>): Live {
  const all = singleton('live streams', () => new WeakMap<object, Live>())
  const hub = hubOf(db)
  const live: Live = all.get(hub) ?? {
    board: createBoard({ db, clock, log }),
    shares: new Map(),
    isClosed: false,
  }
  all.set(hub, live)
  return live
}

function viewerOf({ caller, config, remoteAddress: address }: ServiceCtx): Viewer {
  if (isAnonymous(caller)) return { address }
  const { user, sessionId } = sessionOf(caller)
  requireUsableAccount(user, config.baseUrl)
  return { address, session: { id: sessionId, accountId: user.id } }
}

function sessionOf(caller: Caller) {
  if (caller.kind === 'user' && caller.credential.kind === 'session') {
    return { user: caller.user, sessionId: caller.credential.sessionId }
  }
  throw forbidden('live updates require a browser session')
}

function takeShares({ shares, isClosed }: Live, { session, address }: Viewer): string[] {
  if (isClosed) throw unavailable('the site is stopping', { retryAfterSeconds: 5 })
  const wanted: [share: string, max: number][] = session
    ? [[`account ${session.accountId}`, limits.account]]
    : [
        ['anonymous', limits.anonymous],
        ...(address ? [[`network ${addressNetwork(address)}`, limits.network] as [string, number]] : []),
      ]
  wanted.push(['all', limits.all])
  for (const [share, max] of wanted) {
    if ((shares.get(share) ?? 0) >= max) throw tooManyRequests('too many live update streams are open', 60)
  }
  const names = wanted.map(([share]) => share)
  for (const share of names) add(shares, share, 1)
  return names
}

function add(shares: Map<string, number>, share: string, count: number): void {
  const now = (shares.get(share) ?? 0) + count
  if (now > 0) shares.set(share, now)
  else shares.delete(share)
}
