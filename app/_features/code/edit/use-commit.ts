'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { codePath, comparePath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { isolated } from '@/app/_lib/visible-text'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { stopAsking } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { EditPage } from '@/server/code/edit/schema'
import type { ChangeFile } from '@/server/code/write/schema'
import type { EditedRepository } from './edited-repository'

/** How to commit, as the form has it. */
export interface CommitFields {
  summary: string
  description: string
  /** Whether to commit to a new branch. */
  isNew: boolean
  newBranch: string
  signoff: boolean
}

type Problems = Partial<Record<'path' | 'message' | 'new_branch' | 'form', string>>

export type FileChange = Partial<ChangeFile> & Pick<ChangeFile, 'operation' | 'path'>

export interface CommitState {
  fields: CommitFields
  change: (fields: Partial<CommitFields>) => void
  problems: Problems
  setProblems: (problems: Problems) => void
  isBusy: boolean
  /**
   * Commits changes, and opens the page of `path` in the branch. The message is `summary` unless one was typed. Ends
   * quietly if `call` is aborted.
   */
  commit: (
    files: readonly FileChange[],
    wanted: {
      summary: string
      path: (branch: string) => Promise<string>
      call?: { signal: AbortSignal; context: { fetch: typeof fetch } }
    },
  ) => Promise<void>
}

interface CommitOptions {
  /** Whether the form has a field for the path, which shows what is wrong with it. */
  hasPath?: boolean
  onDone?: () => void
  /** Called instead of showing a problem if a file has changed meanwhile. */
  onOutdated?: () => void
}

/** State of the form that commits changes of files to a branch or to a new one. */
export function useCommit(
  repository: EditedRepository,
  { branch, suggested_branch, commit: base }: EditPage,
  { hasPath = false, onDone, onOutdated }: CommitOptions = {},
): CommitState {
  const router = useRouter()
  const [fields, setFields] = useState<CommitFields>({
    summary: '',
    description: '',
    isNew: false,
    newBranch: suggested_branch,
    signoff: false,
  })
  const [problems, setProblems] = useState<Problems>({})
  const [isBusy, setBusy] = useState(false)

  const commit: CommitState['commit'] = async (files, { summary, path, call }) => {
    if (isBusy) return
    if (fields.isNew && fields.newBranch.trim() === '') {
      return setProblems({ new_branch: 'Enter a name for the branch.' })
    }
    const into = fields.isNew ? fields.newBranch.trim() : branch
    // The server would commit to it: REST clients may send the same branch twice.
    if (fields.isNew && into === branch) {
      return setProblems({ new_branch: `A branch named "${isolated(branch)}" already exists.` })
    }
    setBusy(true)
    setProblems({})
    try {
      const input = {
        owner: repository.owner,
        repo: repository.name,
        branch,
        new_branch: fields.isNew ? into : '',
        message: messageOf(fields, summary),
        signoff: fields.signoff,
        files: files.map(file => ({ sha: '', from_path: '', ...file })),
      }
      const { commit: made } = await trpc.code.changeFiles.mutate(input, call)
      const next = codePath(repository, 'src', { kind: 'branch', name: into }, await path(into))
      onDone?.()
      stopAsking()
      const compare = { label: 'Compare', href: comparePath(repository, branch, into) }
      toast.success(`Committed ${made.sha.slice(0, 10)} to ${isolated(into)}`, {
        ...(fields.isNew && base !== null && { action: compare, duration: 10_000 }),
      })
      router.push(next)
      refreshPage()
    } catch (error) {
      setBusy(false)
      if (call?.signal.aborted) return
      const { field, message, reason } = readFailure(error)
      if (reason?.code === 'fileChanged' && onOutdated) onOutdated()
      else setProblems({ [fieldOf(field, hasPath)]: message })
    }
  }

  return {
    fields,
    change: changed => setFields(before => ({ ...before, ...changed })),
    problems,
    setProblems,
    isBusy,
    commit,
  }
}

/** The field of the form that shows what is wrong with a field of the request. */
function fieldOf(field: string | undefined, hasPath: boolean): keyof Problems {
  if (field === 'message' || field === 'new_branch') return field
  return field === 'path' && hasPath ? field : 'form'
}

const messageOf = ({ summary, description }: CommitFields, otherwise: string): string =>
  [summary.trim() || otherwise, description.trim()].filter(Boolean).join('\n\n')
