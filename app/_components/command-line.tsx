'use client'
import type { ReactNode } from 'react'
import styles from './command-line.module.css'
import { CopyButton } from './copy-button'

interface CommandLineProps {
  command: string
  /** What the copy button says it copies. */
  what?: string
}

/** A command to run elsewhere, or another text worth copying whole. */
export function CommandLine({ command, what = 'command' }: CommandLineProps): ReactNode {
  return (
    <div className={styles.line}>
      <code className={styles.text}>{command}</code>
      <CopyButton text={command} what={what} />
    </div>
  )
}
