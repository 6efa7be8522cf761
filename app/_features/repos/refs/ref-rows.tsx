'use client'
import type { ReactNode } from 'react'
import { ListRow } from '@/app/_components/box'
import { CommitId } from '@/app/_components/commit-id'
import { CopyButton } from '@/app/_components/copy-button'
import { GitBranchIcon, type Icon, TagIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { fetchBranchCommand, fetchTagCommand } from '@/app/_features/repos/git-commands'
import { codePath, type RepoPath } from '@/app/_lib/paths'
import type { TagTip } from '@/server/repos/refs/schema'
import type { BranchTip } from '@/server/repos/schema'
import styles from './refs.module.css'

interface RefRowProps {
  path: RepoPath
  kind: 'branch' | 'tag'
  /** Checkbox that selects the row. */
  check?: ReactNode
  icon: Icon
  name: string
  /** Summary line of the commit or tag message. */
  message: string
  author?: string
  sha: string
  time: string
  fetchCommand: string
  /** Label to show next to the name. */
  label?: ReactNode
  action?: ReactNode
}

/** Row for a branch or tag, with the commit it points to. */
function RefRow(props: RefRowProps): ReactNode {
  const {
    path,
    kind,
    check,
    icon: Visual,
    name,
    message,
    author,
    sha,
    time,
    fetchCommand,
    label,
    action,
  } = props
  const full_name = `${path.owner}/${path.repo}`
  return (
    <ListRow check={check} visual={<Visual />} action={action}>
      <h3 className={styles.name}>
        <QuietLink href={codePath({ full_name }, 'src', { kind, name })}>
          <bdi>{name}</bdi>
        </QuietLink>{' '}
        {label}
      </h3>
      {message ? (
        <p className={styles.message}>
          <bdi>{message}</bdi>
        </p>
      ) : null}
      <p className={styles.facts}>
        {author ? <bdi>{author}</bdi> : null}
        <RelativeDate value={time} />
        <span className={styles.copied}>
          <CommitId repository={{ full_name }} sha={sha} copy />
        </span>
        <span className={styles.copied}>
          <code>{fetchCommand}</code>
          <CopyButton text={fetchCommand} what={`command to fetch ${name}`} />
        </span>
      </p>
    </ListRow>
  )
}

interface BranchRowProps {
  path: RepoPath
  branch: BranchTip
  isDefault: boolean
  check?: ReactNode
  action?: ReactNode
}

export function BranchRow({ path, branch, isDefault, check, action }: BranchRowProps): ReactNode {
  const { name } = branch
  return (
    <RefRow
      path={path}
      kind="branch"
      check={check}
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
  path: RepoPath
  tag: TagTip
  check?: ReactNode
  action?: ReactNode
}

export function TagRow({ path, tag: { name, summary, sha, time }, check, action }: TagRowProps): ReactNode {
  return (
    <RefRow
      path={path}
      kind="tag"
      check={check}
      icon={TagIcon}
      name={name}
      message={summary}
      sha={sha}
      time={time}
      fetchCommand={fetchTagCommand(name)}
      action={action}
    />
  )
}

/** Places the actions for a branch or tag next to each other. */
export function RefActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.actions}>{children}</div>
}
