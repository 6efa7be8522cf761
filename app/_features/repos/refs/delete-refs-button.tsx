'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { CommitId } from '@/app/_components/commit-id'
import { AskButton, LazyConfirmDialog } from '@/app/_components/confirm-button'
import { CommandLine, CopyTextButton } from '@/app/_components/copy-button'
import { RelativeDate } from '@/app/_components/relative-date'
import { restoreCommand } from '@/app/_features/repos/git-commands'
import { readFailure } from '@/app/_lib/failure'
import { counted, doneToSeveral } from '@/app/_lib/format'
import type { RepoPath } from '@/app/_lib/paths'
import { branchesKey, tagsKey } from '@/app/_lib/queries/refs'
import { trpc } from '@/app/_lib/trpc'
import { isolated } from '@/app/_lib/visible-text'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import styles from './refs.module.css'

/** A branch or tag to delete. */
interface DeletableRef {
  name: string
  /** ID of the object that the ref points to: the tag object of an annotated tag, otherwise the commit. */
  id: string
  sha: string
  summary: string
  time: string
}

interface DeleteRefsButtonProps {
  path: RepoPath
  kind: 'branch' | 'tag'
  refs: readonly DeletableRef[]
  /** Whether the refs were selected in a list, even if there is only one. */
  isBulk?: boolean
  onDone?: () => void
}

const nounsOf = { branch: ['branch', 'branches'], tag: ['tag', 'tags'] } as const

/**
 * Button that deletes branches or tags after a dialog that shows their commits and the commands to restore
 * them.
 */
export function DeleteRefsButton(props: DeleteRefsButtonProps): ReactNode {
  const { path, kind, refs, isBulk = false, onDone } = props
  const queryClient = useQueryClient()
  const refresh = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: kind === 'tag' ? tagsKey(path) : branchesKey(path) })
    // Updates the counts on the tabs.
    refreshPage()
  }
  const nouns: readonly [string, string] = nounsOf[kind]
  const many = counted(refs.length, ...nouns)
  const outcome = useRef({ changed: 0, wanted: 0 })
  const what = isBulk ? many : isolated(refs[0]?.name ?? '')
  return (
    <AskButton
      label={isBulk ? `Delete ${many}` : 'Delete'}
      name={`Delete ${what}`}
      size="small"
      done={() => (isBulk ? doneToSeveral('Deleted', outcome.current, nouns) : `Deleted ${what}`)}
      onDone={async () => {
        onDone?.()
        await refresh()
      }}
      dialog={({ finish, close }) => (
        <DeleteRefsDialog
          path={path}
          kind={kind}
          refs={refs}
          title={isBulk ? `Delete ${many}?` : `Delete the ${kind} ${what}?`}
          confirm={`Delete ${isBulk ? many : kind}`}
          onDone={(changed, wanted) => {
            outcome.current = { changed, wanted }
            return finish()
          }}
          onFailed={refresh}
          onClose={close}
        />
      )}
    />
  )
}

interface DeleteRefsDialogProps extends Pick<DeleteRefsButtonProps, 'path' | 'kind' | 'refs'> {
  title: string
  confirm: string
  /** Called with the number of deleted refs and the number of refs to delete. */
  onDone: (changed: number, wanted: number) => unknown
  onFailed: () => unknown
  onClose: () => void
}

function DeleteRefsDialog(props: DeleteRefsDialogProps): ReactNode {
  const { path, kind, title, confirm, onDone, onFailed, onClose } = props
  // The dialog keeps showing the refs that the viewer is about to delete. The server refuses to delete refs
  // that have changed since.
  const [refs] = useState(props.refs)
  const deletion = useMutation({
    mutationFn: () =>
      trpc.repos.deleteRefs.mutate({
        ...path,
        kind,
        names: refs.map(({ name }) => name),
        expected: refs.map(({ id }) => id),
      }),
    onSuccess: deleted => onDone(deleted.length, refs.length),
    onError: onFailed,
  })
  const commands = refs.map(ref => restoreCommand(kind, ref)).join('\n')
  const [only] = refs.length === 1 ? refs : []

  return (
    <LazyConfirmDialog
      title={title}
      confirm={confirm}
      pending={deletion.isPending}
      failure={deletion.error ? readFailure(deletion.error).message : undefined}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      {only ? (
        <p>
          {kind === 'tag' ? 'It points to commit' : 'Its last commit is'} <LastCommit path={path} of={only} />
        </p>
      ) : (
        <Scroll label={kind === 'tag' ? 'Tags and their commits' : 'Branches and their last commits'}>
          <ul className={styles.lastCommits}>
            {refs.map(ref => (
              <li key={ref.name}>
                <strong>
                  <bdi>{ref.name}</bdi>
                </strong>{' '}
                <LastCommit path={path} of={ref} />
              </li>
            ))}
          </ul>
        </Scroll>
      )}
      <p>
        {only
          ? 'To restore it, push from a clone that has this commit:'
          : 'To restore them, push from a clone that has these commits:'}
      </p>
      {only ? (
        <CommandLine command={commands} />
      ) : (
        <>
          <Scroll label="Restore commands">
            <pre className={styles.commands}>{commands}</pre>
          </Scroll>
          <div>
            <CopyTextButton text={commands} label="Copy commands" />
          </div>
        </>
      )}
    </LazyConfirmDialog>
  )
}

function LastCommit({ path, of }: { path: RepoPath; of: DeletableRef }): ReactNode {
  const { sha, summary, time } = of
  return (
    <>
      <CommitId repository={{ full_name: `${path.owner}/${path.repo}` }} sha={sha} />{' '}
      {summary ? <bdi>“{summary}”</bdi> : null} <RelativeDate value={time} />
    </>
  )
}

function Scroll({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has no other way to scroll it
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
