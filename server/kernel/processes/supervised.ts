import type { FairLimits } from '../fair-limit'
import { singleton } from '../singleton'
import {
  type Collected,
  type FromProcess,
  type FromSupervisor,
  type ProcessReport,
  type SharedClient,
  type Supervised,
  supervisedVariable,
} from './messages'

/** Slots of a limit that all processes share. */
interface Lease {
  slots: number
  release(): void
}

/** The supervisor of this process, which is one of several server processes. */
export interface Supervisor {
  /** Whether this is the first process, which alone says what concerns the whole site. */
  isFirst: boolean
  /** Tells the supervisor that this process has started completely. */
  ready(): void
  onOrder(listener: (order: 'stop' | 'retire') => void): void
  /** Sets what the supervisor is told if it asks for the state of this process. */
  onReport(report: () => Promise<ProcessReport>): void
  /** Sends the last report of this process. */
  sendLast(report: ProcessReport): Promise<void>
  /** Returns the state of all processes. */
  collect(): Promise<Collected>
  /** Waits for slots; undefined if they are refused or the signal is aborted first. */
  acquire(
    name: string,
    limits: FairLimits,
    client: SharedClient,
    signal: AbortSignal | undefined,
  ): Promise<Lease | undefined>
}

const holder = (): { supervisor?: Supervisor } => singleton('supervisor', () => ({}))

/** Returns the supervisor of this process; undefined if the process is the only one. */
export const supervisorOf = (): Supervisor | undefined => holder().supervisor

/** Whether this process says what concerns the whole site, because it is the only one or the first one. */
export const speaksForSite = (): boolean => supervisorOf()?.isFirst ?? true

/** Returns whether the supervisor has started this process. */
export const isSupervised = (): boolean =>
  process.send !== undefined && process.env[supervisedVariable] !== undefined

/** Connects this process with the supervisor that has started it. */
export function joinSupervisor(): void {
  const { isFirst, umask }: Supervised = JSON.parse(process.env[supervisedVariable] ?? '{}')
  delete process.env[supervisedVariable]
  process.umask(umask)
  holder().supervisor = connect(isFirst)
}

function connect(isFirst: boolean): Supervisor {
  let lastId = 0
  let onOrder: (order: 'stop' | 'retire') => void = () => undefined
  let report: (() => Promise<ProcessReport>) | undefined
  const answers = new Map<number, (answer: FromSupervisor) => void>()
  // Failures need no handling: without the supervisor, Node ends this process.
  const send = (message: FromProcess, sent: () => void = () => undefined): void =>
    void process.send?.(message, undefined, {}, sent)

  process.on('message', (message: FromSupervisor) => {
    if (message.type === 'stop' || message.type === 'retire') return onOrder(message.type)
    if (message.type === 'report') {
      const { id } = message
      void report?.().then(own => send({ type: 'reported', id, report: own }))
      return
    }
    answers.get(message.id)?.(message)
    answers.delete(message.id)
  })

  return {
    isFirst,
    ready: () => send({ type: 'ready' }),
    onOrder(listener) {
      onOrder = listener
    },
    onReport(own) {
      report = own
    },
    sendLast: own => new Promise(resolve => send({ type: 'reported', report: own }, resolve)),
    collect: () =>
      new Promise(resolve => {
        const id = ++lastId
        answers.set(id, answer => answer.type === 'collected' && resolve(answer.all))
        send({ type: 'collect', id })
      }),
    acquire(name, limits, client, signal) {
      if (signal?.aborted) return Promise.resolve(undefined)
      const id = ++lastId
      const release = (): void => send({ type: 'release', id })
      return new Promise(resolve => {
        const withdraw = (): void => {
          answers.delete(id)
          release()
          resolve(undefined)
        }
        signal?.addEventListener('abort', withdraw)
        answers.set(id, answer => {
          signal?.removeEventListener('abort', withdraw)
          resolve(answer.type === 'granted' ? { slots: answer.slots, release } : undefined)
        })
        send({ type: 'acquire', id, name, limits, client })
      })
    },
  }
}
