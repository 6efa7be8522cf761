import type { UploadLimits } from '@/server/releases/assets/schema'
import { refusalOf } from './limits'
import { Pace } from './pace'

/** What goes on with a file that was chosen. */
export type UploadState =
  /** Its turn has not come, or there is no release yet to attach it to. */
  | 'waiting'
  /** The release has a file of this name: what to do is asked. */
  | 'asking'
  | 'sending'
  | 'paused'
  /** The site does not answer, which is tried again. */
  | 'away'
  | 'failed'
  /** Cannot be sent at all. */
  | 'refused'
  /** Begun before the page was opened: the file has to be chosen again. */
  | 'interrupted'
  | 'done'

export interface UploadRow {
  key: string
  name: string
  size: number
  /** Bytes that have arrived. */
  sent: number
  state: UploadState
  problem: string | undefined
  bytesPerSecond: number | undefined
  /** When an upload that is away is tried again, in milliseconds since 1970. */
  retryAt: number | undefined
  replaces: boolean
}

/** An upload that the server has a part of. */
export interface Unfinished {
  id: string
  name: string
  size: number
  received: number
}

export interface SendEvents {
  onProgress: (sent: number) => void
  onDone: () => void
  /** `isAway` when trying again may help: the site did not answer, or said to come back. */
  onFailure: (failure: { problem: string; isAway: boolean }) => void
}

/** A transfer under way. */
export interface Sending {
  /** Ends it; what has arrived stays. */
  stop: () => void
}

/** Carries files to the server. */
export interface Carrier {
  /** `begun` is the upload that this one goes on with, or is in place of where the file is not quite the same. */
  send: (
    file: File,
    target: { release: number; name: string; replaces: boolean; begun?: string | undefined },
    events: SendEvents,
  ) => Sending
  /** Forgets what has arrived of a file. */
  discard: (upload: { file?: File | undefined; id?: string | undefined; name: string }) => Promise<void>
}

interface Item extends UploadRow {
  file?: File | undefined
  /** Of an upload the server told of. */
  id?: string | undefined
  sending?: Sending | undefined
  pace: Pace
  attempts: number
  timer?: ReturnType<typeof setTimeout> | undefined
}

interface QueueOptions {
  limits: UploadLimits
  carrier: Carrier
  /** Whether the release has a file of this name. */
  isTaken: (name: string) => boolean
  /** A file has become an attachment. */
  onDone: (name: string) => void
}

const atOnce = 3
const firstRetryMs = 1_000
const lastRetryMs = 30_000
/** Progress is told this often at most. */
const tellingMs = 250

const active: readonly UploadState[] = ['waiting', 'asking', 'sending', 'paused', 'away']

/** Whether leaving now would interrupt it. */
export const isUnderWay = ({ state }: UploadRow): boolean => active.includes(state)

/** The files somebody wants to attach to a release: up to three go at once, and each goes on where it was interrupted. */
export class UploadQueue {
  private items: Item[] = []
  private shown: readonly UploadRow[] = []
  private release: number | undefined
  private made = 0
  private hasRemembered = false
  private telling: ReturnType<typeof setTimeout> | undefined
  private readonly listeners = new Set<() => void>()

  constructor(private readonly options: QueueOptions) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly rows = (): readonly UploadRow[] => this.shown

  /** From now on there is a release, and what waits begins. */
  open(release: number): void {
    this.release = release
    this.advance()
  }

  /** Shows what the server has parts of, from before the page was opened; again, how much of it has come by now. */
  remember(unfinished: readonly Unfinished[]): void {
    for (const { id, name, size, received } of unfinished) {
      const known = this.items.find(item => item.id === id)
      if (known?.state === 'interrupted') known.sent = received
      // Later, what is begun on this page is among them too.
      if (!known && !this.hasRemembered) {
        this.items.push({ ...this.item(name, size), id, sent: received, state: 'interrupted' })
      }
    }
    this.hasRemembered = true
    this.tell()
  }

  add(files: readonly File[]): void {
    for (const file of files) this.addOne(file)
    this.advance()
  }

  private addOne(file: File): void {
    const begun = this.items.find(
      ({ state, name, size }) => state === 'interrupted' && name === file.name && size === file.size,
    )
    if (begun) {
      begun.file = file
      begun.state = 'waiting'
      return
    }
    const problem = refusalOf(file, this.options.limits)
    const item = { ...this.item(file.name, file.size), file, problem }
    item.state = problem ? 'refused' : this.isNameTaken(file.name) ? 'asking' : 'waiting'
    this.items.push(item)
  }

  private isNameTaken(name: string): boolean {
    return this.options.isTaken(name) || this.items.some(item => isUnderWay(item) && item.name === name)
  }

  private item(name: string, size: number): Item {
    return {
      key: String(++this.made),
      name,
      size,
      sent: 0,
      state: 'waiting',
      problem: undefined,
      bytesPerSecond: undefined,
      retryAt: undefined,
      replaces: false,
      pace: new Pace(),
      attempts: 0,
    }
  }

  /** Answers what to do with a file whose name is taken. */
  settle(key: string, answer: 'replace' | 'keepBoth'): void {
    this.change(key, item => {
      item.replaces = answer === 'replace'
      if (answer === 'keepBoth') item.name = this.freeName(item.name)
      item.state = 'waiting'
    })
  }

  private freeName(name: string): string {
    const [, stem = name, ending = ''] = /^(.+?)((?:\.[a-z][a-z0-9]{0,9}){1,2})?$/i.exec(name) ?? []
    for (let number = 2; ; number++) {
      const free = `${stem}-${number}${ending}`
      if (!this.isNameTaken(free)) return free
    }
  }

  pause(key: string): void {
    this.change(key, item => {
      this.halt(item)
      item.state = 'paused'
    })
  }

  /** Goes on with one that is paused, or tries one again that failed or waits for the site. */
  resume(key: string): void {
    this.change(key, item => {
      this.halt(item)
      item.attempts = 0
      item.problem = undefined
      item.state = 'waiting'
    })
  }

  /** Takes a file out of the list; what has arrived of it is thrown away. */
  async remove(key: string): Promise<void> {
    const item = this.items.find(one => one.key === key)
    if (!item) return
    this.halt(item)
    this.items = this.items.filter(one => one !== item)
    this.advance()
    if (item.state !== 'done' && item.state !== 'refused') await this.options.carrier.discard(item)
  }

  /** Tries all again that wait for the site, as the connection is back. */
  readonly retryNow = (): void => {
    for (const { key, state } of this.items) if (state === 'away') this.resume(key)
  }

  /** The page is left: what has arrived stays. */
  stop(): void {
    for (const item of this.items) this.halt(item)
    clearTimeout(this.telling)
  }

  private change(key: string, change: (item: Item) => void): void {
    const item = this.items.find(one => one.key === key)
    if (item) change(item)
    this.advance()
  }

  private halt(item: Item): void {
    item.sending?.stop()
    item.sending = undefined
    clearTimeout(item.timer)
    item.retryAt = undefined
    item.pace = new Pace()
    item.bytesPerSecond = undefined
  }

  private advance(): void {
    for (const item of this.items) {
      if (this.release === undefined) break
      if (this.items.filter(({ sending }) => sending).length >= atOnce) break
      if (item.state === 'waiting' && item.file) this.begin(item, item.file, this.release)
    }
    this.tell()
  }

  private begin(item: Item, file: File, release: number): void {
    item.state = 'sending'
    const sending: Sending = this.options.carrier.send(
      file,
      { release, name: item.name, replaces: item.replaces, begun: item.id },
      {
        onProgress: sent => {
          if (item.sending !== sending) return
          if (sent > item.sent) item.attempts = 0
          item.sent = sent
          item.bytesPerSecond = item.pace.at(sent)
          this.tellSoon()
        },
        onDone: () => {
          if (item.sending !== sending) return
          this.halt(item)
          item.state = 'done'
          this.items = this.items.filter(one => one !== item)
          this.advance()
          this.options.onDone(item.name)
        },
        onFailure: ({ problem, isAway }) => {
          if (item.sending !== sending) return
          this.halt(item)
          item.state = isAway ? 'away' : 'failed'
          item.problem = problem
          if (isAway) this.retryLater(item)
          this.advance()
        },
      },
    )
    item.sending = sending
  }

  private retryLater(item: Item): void {
    const wait = Math.min(firstRetryMs * 2 ** item.attempts++, lastRetryMs)
    item.retryAt = Date.now() + wait
    item.timer = setTimeout(() => {
      item.retryAt = undefined
      item.state = 'waiting'
      this.advance()
    }, wait)
  }

  private tellSoon(): void {
    this.telling ??= setTimeout(() => this.tell(), tellingMs)
  }

  private tell(): void {
    clearTimeout(this.telling)
    this.telling = undefined
    this.shown = this.items.map(
      ({ key, name, size, sent, state, problem, bytesPerSecond, retryAt, replaces }) => ({
        key,
        name,
        size,
        sent,
        state,
        problem,
        bytesPerSecond,
        retryAt,
        replaces,
      }),
    )
    for (const listener of this.listeners) listener()
  }
}
