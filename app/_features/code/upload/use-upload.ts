'use client'
import { useMemo, useRef, useState } from 'react'
import type { WantedCommit } from '@/app/_features/code/edit/commit-form'
import { useCommit } from '@/app/_features/code/edit/use-commit'
import { type Failure, readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { isolated } from '@/app/_lib/visible-text'
import { fetchWithProgress, readBase64, UnreadableFile } from './send'

/** Which share of the files has been read or sent. Afterward, the server commits them. */
export type UploadProgress = { doing: 'reading' | 'sending'; share: number } | { doing: 'committing' }

interface UploadPlan {
  repository: RepoPath
  branch: string
  /** Path of the directory that is shown afterward. */
  directory: string
  /** The files, by their paths in the repository. */
  files: readonly { path: string; file: File }[]
}

interface Upload {
  upload: (wanted: WantedCommit) => void
  isPending: boolean
  /** Undefined unless an upload is under way. */
  progress: UploadProgress | undefined
  failure: Failure | undefined
  /** Whether the last attempt was canceled. */
  isCanceled: boolean
  /** Undefined once the server has everything. */
  cancel: (() => void) | undefined
}

/** Sends files in one request, and commits them. */
export function useUpload({ repository, branch, directory, files }: UploadPlan): Upload {
  const [progress, setProgress] = useState<UploadProgress>()
  const [isCanceled, setCanceled] = useState(false)
  const [unreadable, setUnreadable] = useState<string>()
  const controller = useRef<AbortController>(undefined)

  const send = async (wanted: WantedCommit): Promise<void> => {
    controller.current = new AbortController()
    const { signal } = controller.current
    setCanceled(false)
    setUnreadable(undefined)
    try {
      const changes: { operation: 'upload'; path: string; content: string }[] = []
      for (const { path, file } of files) {
        signal.throwIfAborted()
        setProgress({ doing: 'reading', share: changes.length / files.length })
        changes.push({ operation: 'upload', path, content: await readBase64(file) })
      }
      const fetch = fetchWithProgress(share =>
        setProgress(share < 1 ? { doing: 'sending', share } : { doing: 'committing' }),
      )
      setProgress({ doing: 'sending', share: 0 })
      await trpc.code.changeFiles.mutate(
        { ...repository, ...wanted, branch, files: changes },
        { signal, context: { fetch } },
      )
    } catch (error) {
      if (error instanceof UnreadableFile) setUnreadable(error.message)
      throw error
    } finally {
      setProgress(undefined)
    }
  }
  const [only] = files.length === 1 ? files : []
  const { commit, isPending, failure } = useCommit({
    repository,
    branch,
    send,
    done: only
      ? `Uploaded ${isolated(only.file.name)}`
      : `Uploaded ${counted(files.length, 'file', 'files')}`,
    shown: directory,
  })
  const shownFailure = useMemo(
    () =>
      unreadable === undefined
        ? failure
        : {
            ...readFailure(undefined),
            message: `Couldn’t read ${isolated(unreadable)}. It may have been changed, moved, or deleted. Remove it or add it again.`,
          },
    [failure, unreadable],
  )
  return {
    upload: commit,
    isPending,
    progress,
    failure: isCanceled || isPending ? undefined : shownFailure,
    isCanceled: isCanceled && !isPending,
    cancel:
      progress && progress.doing !== 'committing'
        ? () => {
            setCanceled(true)
            controller.current?.abort()
          }
        : undefined,
  }
}
