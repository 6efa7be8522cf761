'use client'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { readFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { onFirstUse } from '@/app/_lib/workarounds/use-lazy-component'
import type { UploadLimits } from '@/server/releases/assets/schema'
import type { Carrier } from './carrier'
import type { UploadQueue } from './queue'
import type { Upload } from './upload'

interface UploadsOptions {
  path: RepoPath
  limits: UploadLimits
  isInUse: (name: string) => boolean
  onDone: (name: string) => Promise<unknown>
}

export interface Uploads {
  uploads: readonly Upload[]
  /** Returns the current uploads, even in callbacks from earlier renders. */
  latestUploads: () => readonly Upload[]
  /** Undefined until there is something to upload. */
  queue: UploadQueue | undefined
  /** Calls `act` with the queue, after loading its code if necessary. */
  withQueue: (act: (queue: UploadQueue) => void) => void
}

// Loaded on first use, because many visits upload nothing.
const loadQueue = () => import('./queue')
const none: readonly Upload[] = []

/** Manages the page's uploads. They are interrupted when the viewer leaves the page. */
export function useUploads(options: UploadsOptions): Uploads {
  const optionsRef = useRef(options)
  optionsRef.current = options
  const [queue, setQueue] = useState<UploadQueue>()
  const made = useRef<Promise<UploadQueue>>(undefined)
  const latest = useRef<UploadQueue>(undefined)

  const withQueue = useCallback<Uploads['withQueue']>(act => {
    made.current ??= loadQueue().then(({ UploadQueue }) => {
      const queue = new UploadQueue({
        limits: optionsRef.current.limits,
        carrier: lazyCarrier(optionsRef.current.path, optionsRef.current.limits),
        isInUse: name => optionsRef.current.isInUse(name),
        onDone: name => optionsRef.current.onDone(name),
      })
      latest.current = queue
      setQueue(queue)
      return queue
    })
    made.current.then(act, error => {
      made.current = undefined
      toast.error(readFailure(error).message)
    })
  }, [])
  useEffect(() => onFirstUse(() => void loadQueue().catch(() => undefined)), [])
  useEffect(() => {
    if (!queue) return
    // React may run this effect again after its cleanup has stopped the uploads.
    queue.retryNow()
    window.addEventListener('online', queue.retryNow)
    return () => {
      window.removeEventListener('online', queue.retryNow)
      queue.stop()
    }
  }, [queue])
  const read = (): readonly Upload[] => queue?.uploads() ?? none
  const uploads = useSyncExternalStore(queue?.subscribe ?? never, read, read)
  const latestUploads = useCallback(() => latest.current?.uploads() ?? none, [])
  return { uploads, latestUploads, queue, withQueue }
}

const never = () => () => undefined

/** Returns a carrier that loads the tus client with the first file. */
function lazyCarrier(path: RepoPath, limits: UploadLimits): Carrier {
  let fetched: Promise<Carrier> | undefined
  const load = (): Promise<Carrier> => {
    fetched ??= import('./tus-carrier').then(({ tusCarrier }) => tusCarrier(path, limits))
    fetched.catch(() => {
      fetched = undefined
    })
    return fetched
  }
  return {
    send(file, target, events) {
      let stop: (() => void) | undefined
      let isOver = false
      load().then(
        carrier => {
          if (!isOver) stop = carrier.send(file, target, events).stop
        },
        () => events.onFailure({ problem: 'Connection lost.', state: 'away' }),
      )
      return {
        stop: () => {
          isOver = true
          stop?.()
        },
      }
    },
    async discard(upload) {
      // If this fails, the server deletes the upload later.
      await load().then(
        carrier => carrier.discard(upload),
        () => undefined,
      )
    },
  }
}
