'use client'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button'
import styles from './fingerprint.module.css'

export function Fingerprint({ value }: { value: string }): ReactNode {
  return (
    <div className={styles.fingerprint}>
      <code className={styles.value}>{value}</code>
      <CopyButton text={value} what="fingerprint" />
    </div>
  )
}
