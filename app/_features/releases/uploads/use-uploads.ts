'use client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { RepoPath } from '@/app/_lib/paths'
import type { UploadLimits } from '@/server/releases/assets/schema'
import { type Carrier, UploadQueue, type UploadRow } from './queue'

interface UploadsOptions {
  path: RepoPath
  limits: UploadLimits
  isTaken: (name: string) => boolean
  onDone: (name: string) => void
}

/** The files that are being attached on this page; leaving it interrupts them. */
export function useUploads(options: UploadsOptions): { queue: UploadQueue; rows: readonly UploadRow[] } {
  const given = useRef(options)
  given.current = options
  const [queue] = useState(
    () =>
      new UploadQueue({
        limits: options.limits,
        carrier: lazyCarrier(options.path),
        isTaken: name => given.current.isTaken(name),
        onDone: name => given.current.onDone(name),
      }),
  )
  useEffect(() => {
    window.addEventListener('online', queue.retryNow)
    return () => {
      window.removeEventListener('online', queue.retryNow)
      queue.stop()
    }
  }, [queue])
  return { queue, rows: useSyncExternalStore(queue.subscribe, queue.rows, queue.rows) }
}

/** What carries files is fetched once there is one. */
function lazyCarrier(path: RepoPath): Carrier {
  let fetched: Promise<Carrier> | undefined
  const fetch = (): Promise<Carrier> => {
    fetched ??= import('./tus-carrier').then(({ tusCarrier }) => tusCarrier(path))
    fetched.catch(() => {
      fetched = undefined
    })
    return fetched
  }
  return {
    send(file, target, events) {
      let stop: (() => void) | undefined
      let isOver = false
      fetch().then(
        carrier => {
          if (!isOver) stop = carrier.send(file, target, events).stop
        },
        () => events.onFailure({ problem: 'The site does not answer.', isAway: true }),
      )
      return {
        stop: () => {
          isOver = true
          stop?.()
        },
      }
    },
    async discard(upload) {
      await (await fetch()).discard(upload)
    },
  }
}
