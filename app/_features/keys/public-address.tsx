'use client'
import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/command-line'
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
