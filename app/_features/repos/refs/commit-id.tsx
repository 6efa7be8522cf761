'use client'
import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import styles from './refs.module.css'

/** The beginning of a commit's id; the button copies all of it. */
export function CommitId({ sha }: { sha: string }): ReactNode {
  return (
    <span className={styles.copied}>
      <code title={sha}>{sha.slice(0, 10)}</code>
      <CopyButton text={sha} what="commit id" />
    </span>
  )
}
