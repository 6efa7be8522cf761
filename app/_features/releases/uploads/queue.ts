import type { UploadLimits } from '@/server/releases/assets/schema'
import type { Carrier, SendFailure, Sending, Unfinished } from './carrier'
import { refusalOf } from './limits'
import { Pace } from './pace'
import type { Upload } from './upload'

interface Item extends Upload {
  file: File | undefined
  /** ID that the server uses for an unfinished upload that it listed; undefined for other uploads. */
  id: string | undefined
  replaces: boolean
  /** Whether the server may have received a part of the file. */
  hasBegun: boolean
  sending: Sending | undefined
  pace: Pace
  attempts: number
  timer: ReturnType<typeof setTimeout> | undefined
}

interface QueueOptions {
  limits: UploadLimits
  carrier: Carrier
  /** Returns whether the release has a file with this name. */
  isInUse: (name: string) => boolean
  /** Called when a file has been attached. The promise resolves when the list of files includes it. */
  onDone: (name: string) => Promise<unknown>
}

const concurrency = 3
const firstRetryMs = 1_000
const lastRetryMs = 30_000
/** Minimum time between progress updates. */
const notifyMs = 250

/** Uploads files to a release, at most three at a time. Interrupted uploads continue where they stopped. */
export class UploadQueue {
  private items: Item[] = []
  private shown: readonly Upload[] = []
  private release: number | undefined
  private made = 0
  private hasRemembered = false
  private notifying: ReturnType<typeof setTimeout> | undefined
  private readonly listeners = new Set<() => void>()

  constructor(private readonly options: QueueOptions) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly uploads = (): readonly Upload[] => this.shown

  /** Sets the ID of the release, once it exists, and starts the uploads that are waiting for it. */
  open(release: number): void {
    this.release = release
    this.advance()
  }

  /**
   * Adds the uploads that the server listed as unfinished when the page opened. Later calls update their
   * progress and remove those that are no longer listed.
   */
  remember(unfinished: readonly Unfinished[]): void {
    const byId = new Map(unfinished.map(one => [one.id, one]))
    // An upload that is missing from the list was finished or canceled on another page.
    this.items = this.items.filter(({ state, id = '' }) => state !== 'interrupted' || byId.has(id))
    for (const item of this.items) {
      if (item.state === 'interrupted') item.sent = byId.get(item.id ?? '')?.received ?? item.sent
    }
    // After the first call, the list can also include uploads that this page started.
    if (!this.hasRemembered) this.items.push(...unfinished.map(one => this.interrupted(one)))
    this.hasRemembered = true
    this.notify()
  }

  /** Adds files. `replacing` is the key of the interrupted upload that the user was selecting a file for. */
  add(files: readonly File[], replacing?: string): void {
    const others = files.filter(file => !this.goOn(file))
    const [only] = others
    const asked = this.items.find(({ key, state }) => key === replacing && state === 'interrupted')
    if (asked && only && others.length === 1) this.take(asked, only)
    else for (const file of others) this.addOne(file)
    this.advance()
  }

  private goOn(file: File): boolean {
    const begun = this.items.find(
      ({ state, name, size }) => state === 'interrupted' && name === file.name && size === file.size,
    )
    if (begun) this.take(begun, file)
    return begun !== undefined
  }

  private addOne(file: File): void {
    const former = this.items.find(
      ({ state, name }) => (state === 'failed' || state === 'refused') && name === file.name,
    )
    if (former) {
      this.take(former, file)
      return
    }
    const isNameInUse = this.isNameInUse(file.name)
    const item = this.item(file.name, file.size)
    this.items.push(item)
    this.take(item, file)
    if (item.state === 'waiting' && isNameInUse) item.state = 'asking'
  }

  /** Assigns a file to an upload, which keeps its name, and determines the upload's next state. */
  private take(item: Item, file: File): void {
    const { name, size, sent, file: former } = item
    if (former && former.lastModified !== file.lastModified) this.discard(item)
    item.file = file
    item.size = file.size
    item.sent = size === file.size ? sent : 0
    item.problem = refusalOf({ name, size: file.size }, this.options.limits)
    const isInUse = !item.replaces && this.options.isInUse(name)
    item.state = item.problem ? 'refused' : isInUse ? 'asking' : 'waiting'
  }

  private isNameInUse(name: string): boolean {
    return (
      this.options.isInUse(name) || this.items.some(item => item.state !== 'refused' && item.name === name)
    )
  }

  private interrupted({ id, name, size, received, replaces }: Unfinished): Item {
    return { ...this.item(name, size), id, sent: received, replaces, hasBegun: true, state: 'interrupted' }
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
      file: undefined,
      id: undefined,
      replaces: false,
      hasBegun: false,
      sending: undefined,
      pace: new Pace(),
      attempts: 0,
      timer: undefined,
    }
  }

  /** Resolves a name conflict with an attached file or another upload. */
  settle(key: string, answer: 'replace' | 'keepBoth'): void {
    const item = this.items.find(one => one.key === key)
    if (!item) return
    item.state = 'waiting'
    if (answer === 'keepBoth') item.name = this.freeName(item.name)
    else {
      item.replaces = true
      for (const other of this.items) if (other !== item && other.name === item.name) this.drop(other)
    }
    this.advance()
  }

  private freeName(name: string): string {
    const [, stem = name, ending = ''] = /^(.+?)((?:\.[a-z][a-z0-9]{0,9}){1,2})?$/i.exec(name) ?? []
    for (let number = 2; ; number++) {
      const free = `${stem}-${number}${ending}`
      if (!this.isNameInUse(free)) return free
    }
  }

  pause(key: string): void {
    this.change(key, item => {
      this.halt(item)
      item.state = 'paused'
    })
  }

  /** Resumes a paused upload, or retries one that failed or lost its connection. */
  resume(key: string): void {
    this.change(key, item => {
      this.halt(item)
      item.attempts = 0
      item.problem = undefined
      item.state = 'waiting'
    })
  }

  /** Removes an upload and discards the part that the server has received. */
  remove(key: string): void {
    this.change(key, item => this.drop(item))
  }

  private drop(item: Item): void {
    this.halt(item)
    this.items = this.items.filter(one => one !== item)
    this.discard(item)
  }

  private discard(item: Item): void {
    if (item.hasBegun) void this.options.carrier.discard({ file: item.file, id: item.id })
    item.hasBegun = false
    item.id = undefined
  }

  /** Immediately retries every upload that lost its connection, and starts waiting ones. */
  readonly retryNow = (): void => {
    for (const { key, state } of this.items) if (state === 'away') this.resume(key)
    this.advance()
  }

  /** Stops all uploads when the viewer leaves the page. The server keeps the parts that it has received. */
  stop(): void {
    this.items = this.items.filter(({ state }) => state !== 'attached')
    for (const item of this.items) {
      this.halt(item)
      if (item.state === 'sending') item.state = 'waiting'
    }
    clearTimeout(this.notifying)
    this.notifying = undefined
  }

  private change(key: string, change: (item: Item) => void): void {
    const item = this.items.find(one => one.key === key)
    if (item && item.state !== 'attached') change(item)
    this.advance()
  }

  private halt(item: Item): void {
    item.sending?.stop()
    item.sending = undefined
    clearTimeout(item.timer)
    item.pace = new Pace()
    item.bytesPerSecond = undefined
  }

  private advance(): void {
    for (const item of this.items) {
      if (this.release === undefined) break
      if (this.items.filter(({ sending }) => sending).length >= concurrency) break
      if (item.state === 'waiting' && item.file) this.begin(item, item.file, this.release)
    }
    this.notify()
  }

  private begin(item: Item, file: File, release: number): void {
    item.state = 'sending'
    item.hasBegun = true
    const sending: Sending = this.options.carrier.send(
      file,
      { release, name: item.name, replaces: item.replaces, begun: item.id },
      {
        onProgress: sent => {
          if (item.sending !== sending) return
          if (sent > item.sent) item.attempts = 0
          item.sent = sent
          item.bytesPerSecond = item.pace.at(sent)
          this.notifySoon()
        },
        onDone: () => {
          if (item.sending !== sending) return
          this.halt(item)
          item.state = 'attached'
          item.sent = item.size
          const listed = (): void => {
            this.items = this.items.filter(one => one !== item)
            this.notify()
          }
          this.options.onDone(item.name).then(listed, listed)
          this.advance()
        },
        onFailure: failure => {
          if (item.sending === sending) this.fail(item, failure)
        },
      },
    )
    item.sending = sending
  }

  private fail(item: Item, { state, problem }: SendFailure): void {
    this.halt(item)
    item.state = state
    item.problem = problem
    if (state === 'away') {
      item.timer = setTimeout(
        () => {
          item.state = 'waiting'
          this.advance()
        },
        Math.min(firstRetryMs * 2 ** item.attempts++, lastRetryMs),
      )
    }
    this.advance()
  }

  private notifySoon(): void {
    this.notifying ??= setTimeout(() => this.notify(), notifyMs)
  }

  private notify(): void {
    clearTimeout(this.notifying)
    this.notifying = undefined
    this.shown = this.items.map(({ key, name, size, sent, state, problem, bytesPerSecond }) => ({
      key,
      name,
      size,
      sent,
      state,
      problem,
      bytesPerSecond,
    }))
    for (const listener of this.listeners) listener()
  }
}
