'use client'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { CommandLine } from '@/app/_components/copy-button'
import form from '@/app/_components/form.module.css'
import { CheckCircleFillIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import stepStyles from '@/app/_components/steps.module.css'
import { isolated } from '@/app/_lib/visible-text'
import type { SshAddress } from '@/server/instance/schema'
import type { ListedKey } from '@/server/keys/schema'
import { isUsed } from './key-use'
import styles from './keys.module.css'
import { testCommand } from './ssh-commands'

interface KeyTrialProps {
  publicKey: ListedKey
  address: SshAddress
}

/** Panel that shows the command to test a key, and whether the key has been used. */
export function KeyTrial({ publicKey, address }: KeyTrialProps): ReactNode {
  const { title, last_used_at, last_used_address } = publicKey
  const works = isUsed(publicKey)
  return (
    <Panel title={`Test the key “${isolated(title)}”`}>
      <div className={form.form}>
        <p>Run this command on the machine that has the key:</p>
        <CommandLine command={testCommand(address)} />
        <p className={stepStyles.hint}>
          The first time you connect, SSH shows a fingerprint and asks whether to continue. Compare it with
          the{' '}
          <TextLink href="/-/ssh" inline>
            server’s fingerprints
          </TextLink>
          .
        </p>
        <p className={works ? stepStyles.done : stepStyles.waiting}>
          {works ? <CheckCircleFillIcon /> : <span className={stepStyles.dot} aria-hidden="true" />}
          <span>
            <span role="status" className={works ? styles.outcome : undefined}>
              {works ? 'The key works.' : 'Waiting for the key to be used…'}
            </span>
            {works ? (
              <>
                {' '}
                Used <RelativeDate value={last_used_at} />
                {last_used_address ? ` from ${last_used_address}` : null}.
              </>
            ) : null}
          </span>
        </p>
      </div>
    </Panel>
  )
}
