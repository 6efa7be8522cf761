'use client'
import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/command-line'
import { Banner } from '@/app/_components/primer'
import styles from './keys.module.css'

/** Public keys are public: people should know where, and find it useful. */
export function PublicAddress({ url }: { url: string }): ReactNode {
  return (
    <section className={styles.address} aria-label="Public address">
      <p>Anyone can read your public keys at this address, for example to let you in to a server:</p>
      <CommandLine command={url} what="address" />
    </section>
  )
}

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
