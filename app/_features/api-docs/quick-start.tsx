import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import styles from './quick-start.module.css'

/** From nothing to the first change, and what holds for every call. */
export function QuickStart({ baseUrl }: { baseUrl: string }): ReactNode {
  const api = `${baseUrl}/api/v1`
  return (
    <section className={styles.start} aria-labelledby="quick-start">
      <h2 id="quick-start" className={styles.title}>
        Quick start
      </h2>
      <ol className={styles.steps}>
        <li className={styles.step}>
          <h3 className={styles.name}>1. Make a token</h3>
          <p>
            <a
              href="/user/settings/tokens?add=1&name=api&repository=write&user=write"
              target="_blank"
              rel="noopener"
              className={styles.link}
            >
              Create an access token
            </a>{' '}
            that may write to repositories and to your account, and keep it in your terminal:
          </p>
          <CommandLine command="export TOKEN=paste-it-here" />
        </li>
        <li className={styles.step}>
          <h3 className={styles.name}>2. The first call</h3>
          <p>Ask who you are. The answer is your account, as JSON.</p>
          <CommandLine command={`curl -H "Authorization: token $TOKEN" ${api}/user`} />
        </li>
        <li className={styles.step}>
          <h3 className={styles.name}>3. The first change</h3>
          <p>Create a repository. The answer has the status 201 and the address to clone.</p>
          <CommandLine
            command={[
              `curl -X POST -H "Authorization: token $TOKEN"`,
              `-H 'Content-Type: application/json'`,
              `-d '{"name": "hello-api", "auto_init": true}'`,
              `${api}/user/repos`,
            ].join(' \\\n  ')}
          />
        </li>
      </ol>
      <dl className={styles.facts}>
        <div>
          <dt>Base address</dt>
          <dd>
            <code>{api}</code>
          </dd>
        </div>
        <div>
          <dt>Authentication</dt>
          <dd>
            <code>Authorization: token …</code> (or <code>Bearer …</code>), or Basic with a user name and
            password
          </dd>
        </div>
        <div>
          <dt>Lists</dt>
          <dd>
            <code>page</code> and <code>limit</code> choose; <code>Link</code> leads on, and{' '}
            <code>X-Total-Count</code> counts all
          </dd>
        </div>
        <div>
          <dt>Errors</dt>
          <dd>
            A status of 4xx or 5xx with <code>{'{"message": "…"}'}</code>; where <code>Retry-After</code> is
            given, try again after so many seconds
          </dd>
        </div>
      </dl>
    </section>
  )
}
