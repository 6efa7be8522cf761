'use client'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/primer'
import styles from './keys.module.css'

export function KeysElsewhere(): ReactNode {
  return (
    <Banner
      className={styles.notice}
      variant="info"
      title="Your SSH keys are managed elsewhere"
      description="The administrator of this site manages SSH keys for accounts like yours. To add or remove a key, ask them."
    />
  )
}
