import type { UploadLimits } from '@/server/releases/assets/schema'
import type { Carrier, SendFailure, Sending, Unfinished } from './carrier'
import { refusalOf } from './limits'
import { Pace } from './pace'
import type { Upload } from './upload'

interface Item extends Upload {
  file: File | undefined
  /** Of an upload the server told of. */
  id: string | undefined
  replaces: boolean
  /** The server may have a part of it. */
  hasBegun: boolean
  sending: Sending | undefined
  pace: Pace
  attempts: number
  timer: ReturnType<typeof setTimeout> | undefined
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

/** The files somebody wants to attach to a release: up to three go at once, and each goes on where it was interrupted. */
export class UploadQueue {
  private items: Item[] = []
  private shown: readonly Upload[] = []
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

  readonly uploads = (): readonly Upload[] => this.shown

  /** From now on there is a release, and what waits begins. */
  open(release: number): void {
    this.release = release
    this.advance()
  }

  /** Shows what the server has parts of, from before the page was opened; again, what of that has come by now. */
  remember(unfinished: readonly Unfinished[]): void {
    const told = new Map(unfinished.map(one => [one.id, one]))
    // What was finished or canceled on another page is not told of again.
    this.items = this.items.filter(({ state, id = '' }) => state !== 'interrupted' || told.has(id))
    for (const item of this.items) {
      if (item.state === 'interrupted') item.sent = told.get(item.id ?? '')?.received ?? item.sent
    }
    // Later, what is begun on this page is among them too.
    if (!this.hasRemembered) this.items.push(...unfinished.map(one => this.interrupted(one)))
    this.hasRemembered = true
    this.tell()
  }

  /** Takes files in. `inPlaceOf` is the one that the person was asked to choose again. */
  add(files: readonly File[], inPlaceOf?: string): void {
    const others = files.filter(file => !this.goOn(file))
    const [only] = others
    const asked = this.items.find(({ key, state }) => key === inPlaceOf && state === 'interrupted')
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
    const isNameTaken = this.isNameTaken(file.name)
    const item = this.item(file.name, file.size)
    this.items.push(item)
    this.take(item, file)
    if (item.state === 'waiting' && isNameTaken) item.state = 'asking'
  }

  /** Goes on with this file, under the name that the upload has. */
  private take(item: Item, file: File): void {
    const { name, size, sent, file: former } = item
    if (former && former.lastModified !== file.lastModified) this.discard(item)
    item.file = file
    item.size = file.size
    item.sent = size === file.size ? sent : 0
    item.problem = refusalOf({ name, size: file.size }, this.options.limits)
    const isTaken = !item.replaces && this.options.isTaken(name)
    item.state = item.problem ? 'refused' : isTaken ? 'asking' : 'waiting'
  }

  private isNameTaken(name: string): boolean {
    return (
      this.options.isTaken(name) || this.items.some(item => item.state !== 'refused' && item.name === name)
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

  /** Answers what to do with a file whose name is taken; the other may itself be on its way. */
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

  /** Tries all again that wait for the site, as the connection is back. */
  readonly retryNow = (): void => {
    for (const { key, state } of this.items) if (state === 'away') this.resume(key)
  }

  /** The page is left: what has arrived stays. */
  stop(): void {
    for (const item of this.items) this.halt(item)
    clearTimeout(this.telling)
    this.telling = undefined
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
          this.tellSoon()
        },
        onDone: () => {
          if (item.sending !== sending) return
          this.halt(item)
          this.items = this.items.filter(one => one !== item)
          this.advance()
          this.options.onDone(item.name)
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

  private tellSoon(): void {
    this.telling ??= setTimeout(() => this.tell(), tellingMs)
  }

  private tell(): void {
    clearTimeout(this.telling)
    this.telling = undefined
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
