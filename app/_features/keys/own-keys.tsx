import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { CommandLine } from '@/app/_components/copy-button'
import type { SshAddress } from '@/server/instance/schema'
import styles from './keys.module.css'
import { makeKeyCommand, printKeyCommand, testCommand } from './ssh-commands'

/** How to get a key and use it, for somebody who never made one. */
export function FirstKeyHelp({ address }: { address: SshAddress | null }): ReactNode {
  return (
    <>
      <p>An SSH key proves who you are without a password.</p>
      <ol className={styles.steps}>
        <li>
          <p>Make a key in a terminal:</p>
          <CommandLine command={makeKeyCommand} />
        </li>
        <li>
          <p>Print its public half, copy the line, and add it here:</p>
          <CommandLine command={printKeyCommand} />
        </li>
        {address ? (
          <li>
            <p>Then test it:</p>
            <CommandLine command={testCommand(address)} />
          </li>
        ) : null}
      </ol>
    </>
  )
}

/** Public keys are public: people should know where, and find it useful. */
export function PublicAddress({ url }: { url: string }): ReactNode {
  return (
    <section className={styles.below} aria-label="Public address">
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
