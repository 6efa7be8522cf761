import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { TextLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import stepStyles from '@/app/_components/steps.module.css'
import type { SshAccess } from '@/server/instance/schema'
import { keyKindLabel } from './key-kind'
import styles from './keys.module.css'
import { addressPattern, testCommand } from './ssh-commands'

/** How git reaches this site over SSH, and how to tell that it is this site. */
export function SshScreen({ address, host_keys: hostKeys }: SshAccess): ReactNode {
  if (!address) {
    return (
      <PageHeading title="Git over SSH">
        SSH is off on this site. Clone over HTTP, with an access token as the password.
      </PageHeading>
    )
  }
  return (
    <>
      <PageHeading title="Git over SSH">
        Clone, fetch and push with an SSH key of your account instead of a password.
      </PageHeading>
      <section className={stepStyles.step} aria-labelledby="address">
        <h2 id="address">Address</h2>
        <CommandLine command={addressPattern(address)} what="address" />
        <p className={stepStyles.hint}>
          Sign in with one of your{' '}
          <TextLink href="/user/settings/keys" inline>
            SSH keys
          </TextLink>
          . To test one:
        </p>
        <CommandLine command={testCommand(address)} />
      </section>
      <section className={stepStyles.step} aria-labelledby="host-keys">
        <h2 id="host-keys">Fingerprints of this server</h2>
        {hostKeys.length === 0 ? (
          <p className={stepStyles.hint}>
            The host keys are not known here. Ask an administrator of the site for the fingerprints before you
            connect.
          </p>
        ) : (
          <HostKeys hostKeys={hostKeys} />
        )}
      </section>
    </>
  )
}

function HostKeys({ hostKeys }: { hostKeys: SshAccess['host_keys'] }): ReactNode {
  return (
    <>
      <p className={stepStyles.hint}>
        On the first connection, ssh shows a fingerprint and asks whether to go on. Answer yes only if it is
        one of these; instead of yes, you can paste the fingerprint, and ssh compares it for you.
      </p>
      <dl className={styles.hostKeys}>
        {hostKeys.map(({ algorithm, bits, fingerprint }) => (
          <div key={fingerprint}>
            <dt>{keyKindLabel(algorithm, bits)}</dt>
            <dd>
              <CommandLine command={fingerprint} what="fingerprint" />
            </dd>
          </div>
        ))}
      </dl>
      <p className={stepStyles.hint}>
        Or add these lines to the file <code>~/.ssh/known_hosts</code>, and ssh does not ask at all:
      </p>
      <CommandLine
        command={hostKeys.map(({ known_hosts: line }) => line).join('\n')}
        what="lines for known_hosts"
      />
    </>
  )
}
