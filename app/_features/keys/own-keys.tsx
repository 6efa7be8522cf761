import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { CommandLine } from '@/app/_components/copy-button'
import type { SshAddress } from '@/server/instance/schema'
import styles from './keys.module.css'
import { makeKeyCommand, printKeyCommand, testCommand } from './ssh-commands'

/** Instructions for creating, adding, and testing a first SSH key. */
export function FirstKeyHelp({ address }: { address: SshAddress | null }): ReactNode {
  return (
    <>
      <p>An SSH key lets you authenticate without a password.</p>
      <ol className={styles.steps}>
        <li>
          <p>Create a key in a terminal:</p>
          <CommandLine command={makeKeyCommand} />
        </li>
        <li>
          <p>Print the public key, copy it, and add it here:</p>
          <CommandLine command={printKeyCommand} />
        </li>
        {address ? (
          <li>
            <p>Test the key:</p>
            <CommandLine command={testCommand(address)} />
          </li>
        ) : null}
      </ol>
    </>
  )
}

/** Section with the URL at which anyone can read a person's public keys. */
export function PublicAddress({ url }: { url: string }): ReactNode {
  return (
    <section className={styles.below} aria-label="Public URL">
      <p>Your public keys are available to anyone at this URL:</p>
      <CommandLine command={url} what="URL" />
    </section>
  )
}

export function KeysElsewhere(): ReactNode {
  return (
    <Banner
      className={styles.notice}
      variant="info"
      title="You can’t change your SSH keys here"
      description="Your account’s SSH keys are managed by administrators. Ask an administrator to add or remove a key."
    />
  )
}
