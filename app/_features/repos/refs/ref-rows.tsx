'use client'
import { GitBranchIcon, type Icon, TagIcon } from '@primer/octicons-react'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { ListRow } from '@/app/_components/box'
import { CopyButton } from '@/app/_components/copy-button'
import { ButtonLink } from '@/app/_components/links'
import { Button, Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { fetchBranchCommand, fetchTagCommand } from '@/app/_features/repos/git-commands'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'
import type { Tag } from '@/server/repos/refs/schema'
import type { BranchTip } from '@/server/repos/schema'
import styles from './refs.module.css'

interface RefRowProps {
  icon: Icon
  name: string
  /** On one line. */
  message: string
  author?: string
  sha: string
  time: string
  fetchCommand: string
  /** Beside the name. */
  label?: ReactNode
  action?: ReactNode
}

/** A branch or tag with the commit it leads to. */
function RefRow(props: RefRowProps): ReactNode {
  const { icon: Visual, name, message, author, sha, time, fetchCommand, label, action } = props
  return (
    <ListRow visual={<Visual />} action={action}>
      <h3 className={styles.name}>
        {name} {label}
      </h3>
      {message ? (
        <p className={styles.message} dir="auto">
          {message}
        </p>
      ) : null}
      <p className={styles.facts}>
        {author ? <span>{author}</span> : null}
        <RelativeDate value={time} />
        <CommitId sha={sha} />
        <span className={styles.copied}>
          <code>{fetchCommand}</code>
          <CopyButton text={fetchCommand} what={`command that fetches ${name}`} />
        </span>
      </p>
    </ListRow>
  )
}

interface BranchRowProps {
  branch: BranchTip
  isDefault: boolean
  action?: ReactNode
}

export function BranchRow({ branch, isDefault, action }: BranchRowProps): ReactNode {
  const { name } = branch
  return (
    <RefRow
      icon={GitBranchIcon}
      name={name}
      message={branch.summary}
      author={branch.author}
      sha={branch.sha}
      time={branch.time}
      fetchCommand={fetchBranchCommand(name)}
      label={isDefault ? <Label variant="accent">Default</Label> : null}
      action={action}
    />
  )
}

interface TagRowProps {
  tag: Pick<Tag, 'name' | 'message' | 'commit'>
  /** Where its release is shown, or made; undefined where there is neither. */
  release?: string | undefined
}

export function TagRow({ tag: { name, message, commit }, release }: TagRowProps): ReactNode {
  return (
    <RefRow
      icon={TagIcon}
      name={name}
      message={message}
      sha={commit.sha}
      time={commit.created}
      fetchCommand={fetchTagCommand(name)}
      action={
        release ? (
          <ButtonLink href={release} size="small">
            {release.includes('/releases/new?') ? 'Create release' : 'Release'}{' '}
            <span className="visually-hidden">of {name}</span>
          </ButtonLink>
        ) : null
      }
    />
  )
}

/** The beginning of a commit's id; the button copies all of it. */
export function CommitId({ sha }: { sha: string }): ReactNode {
  return (
    <span className={styles.copied}>
      <code title={sha}>{sha.slice(0, 10)}</code>
      <CopyButton text={sha} what="commit id" />
    </span>
  )
}

interface MakeDefaultButtonProps {
  path: RepoPath
  branch: string
  /** The default until now, to which undoing leads back. */
  former: string
}

export function MakeDefaultButton({ path, branch, former }: MakeDefaultButtonProps): ReactNode {
  const router = useRouter()
  const replace = (now: string, next: string) =>
    trpc.repos.save.mutate({
      ...path,
      changes: { default_branch: next },
      expected: { default_branch: now },
    })
  const change = useUndoable({
    act: () => replace(former, branch),
    undo: () => replace(branch, former),
    done: `${branch} is the default branch`,
    refresh: async () => router.refresh(),
  })

  return (
    <Button
      size="small"
      aria-label={`Make ${branch} the default branch`}
      loading={change.isPending}
      onClick={change.onClick}
    >
      Make default
    </Button>
  )
}
