'use client'
import type { Icon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ListRow } from '@/app/_components/box'
import { CopyButton } from '@/app/_components/copy-button'
import { RelativeDate } from '@/app/_components/relative-date'
import { CommitId } from './commit-id'
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
export function RefRow(props: RefRowProps): ReactNode {
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
