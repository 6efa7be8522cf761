'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { BulkButton } from '@/app/_components/bulk-button'
import { BulkUndoButton } from '@/app/_components/bulk-undo-button'
import { counted, listNames } from '@/app/_lib/format'
import { repositoriesKey } from '@/app/_lib/queries/repositories'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { BrowsedRepository } from '@/server/repos/lists/schema'
import type { RemovedRepos } from '@/server/repos/schema'

interface SelectedProps {
  selected: readonly BrowsedRepository[]
  onDone: () => void
}

/**
 * Actions for several selected repositories that the viewer administers. Deletion is offered only if the
 * viewer can delete all of them.
 */
export function RepositoryActions({ selected, onDone }: SelectedProps): ReactNode {
  const archived = selected.filter(repository => repository.archived)
  const others = selected.filter(repository => !repository.archived)
  return (
    <>
      {others.length > 0 ? <ArchiveButton selected={others} archived onDone={onDone} /> : null}
      {archived.length > 0 ? <ArchiveButton selected={archived} archived={false} onDone={onDone} /> : null}
      {selected.every(repository => repository.may_delete) ? (
        <DeleteButton selected={selected} onDone={onDone} />
      ) : null}
    </>
  )
}

const nouns = ['repository', 'repositories'] as const

const manyOf = (count: number): string => counted(count, ...nouns)

const idsOf = (repositories: readonly BrowsedRepository[]): number[] => repositories.map(({ id }) => id)

function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await queryClient.invalidateQueries({ queryKey: repositoriesKey })
    // Updates the tab counts and the activity.
    refreshPage()
  }
}

function ArchiveButton({ selected, archived, onDone }: SelectedProps & { archived: boolean }): ReactNode {
  const refresh = useRefresh()
  return (
    <BulkUndoButton
      verb={archived ? 'Archive' : 'Unarchive'}
      done={archived ? 'Archived' : 'Unarchived'}
      nouns={nouns}
      ids={idsOf(selected)}
      run={ids => trpc.repos.archiveAll.mutate({ ids, archived })}
      undo={ids => trpc.repos.archiveAll.mutate({ ids, archived: !archived })}
      onDone={async () => {
        onDone()
        await refresh()
      }}
    />
  )
}

interface Outcome extends RemovedRepos {
  asked: readonly BrowsedRepository[]
}

function DeleteButton({ selected, onDone }: SelectedProps): ReactNode {
  const refresh = useRefresh()
  const outcome = useRef<Outcome>({ asked: [], removed: [], left: [] })
  return (
    <BulkButton
      verb="Delete"
      done={() => report(outcome.current)}
      nouns={nouns}
      names={selected.map(({ full_name }) => full_name)}
      isTyped
      run={async () => {
        outcome.current = {
          asked: selected,
          ...(await trpc.repos.removeAll.mutate({ ids: idsOf(selected) })),
        }
        return outcome.current.removed.length
      }}
      onDone={async () => {
        const left = outcome.current.asked.filter(({ id }) => outcome.current.left.includes(id))
        if (left.length > 0) toast.error(reportLeft(left))
        onDone()
        await refresh()
      }}
    >
      <p>
        This deletes every branch, tag, and commit. Collaborators and teams lose access, and existing clones
        can no longer fetch or push. This can’t be undone.
      </p>
      <p>To prevent changes without deleting the repositories, archive them instead.</p>
    </BulkButton>
  )
}

function report({ asked, removed, left }: Outcome): string {
  const alreadyDeleted = asked.length - removed.length - left.length
  if (alreadyDeleted === 0) return `Deleted ${manyOf(removed.length)}`
  return `Deleted ${manyOf(removed.length)}; ${manyOf(alreadyDeleted)} had already been deleted or transferred`
}

const maxNames = 5

function reportLeft(left: readonly BrowsedRepository[]): string {
  const names = left.slice(0, maxNames).map(({ full_name }) => full_name)
  return `Couldn’t delete ${listNames({ total: left.length, names })}. Try again.`
}
