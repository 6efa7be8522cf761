import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { TextLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import stepStyles from '@/app/_components/steps.module.css'
import type { SshAccess } from '@/server/instance/schema'
import { keyKindLabel } from './key-kind'
import styles from './keys.module.css'
import { addressPattern, testCommand } from './ssh-commands'

/** Page about Git over SSH, with the address to clone from and the fingerprints that identify the server. */
export function SshScreen({ address, host_keys: hostKeys }: SshAccess): ReactNode {
  if (!address) {
    return (
      <PageHeading title="Git over SSH">
        SSH is turned off on this site. Clone over HTTP and use an access token as the password.
      </PageHeading>
    )
  }
  return (
    <>
      <PageHeading title="Git over SSH">
        Clone, fetch, and push with an SSH key instead of a password.
      </PageHeading>
      <section className={stepStyles.step} aria-labelledby="address">
        <h2 id="address">Address</h2>
        <CommandLine command={addressPattern(address)} what="address" />
        <p className={stepStyles.hint}>
          Connect with one of your{' '}
          <TextLink href="/user/settings/keys" inline>
            SSH keys
          </TextLink>
          . To test a key:
        </p>
        <CommandLine command={testCommand(address)} />
      </section>
      <section className={stepStyles.step} aria-labelledby="host-keys">
        <h2 id="host-keys">Server fingerprints</h2>
        {hostKeys.length === 0 ? (
          <p className={stepStyles.hint}>
            The host keys aren’t available yet. Ask an administrator for the fingerprints before you connect.
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
        The first time you connect, SSH shows a fingerprint and asks whether to continue. Enter “yes” only if
        it matches one of these fingerprints. You can also paste a fingerprint from this page, and SSH will
        compare it for you.
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
        Or add these lines to <code>~/.ssh/known_hosts</code> so that SSH doesn’t ask:
      </p>
      <CommandLine
        command={hostKeys.map(({ known_hosts: line }) => line).join('\n')}
        what="known_hosts lines"
      />
    </>
  )
}
