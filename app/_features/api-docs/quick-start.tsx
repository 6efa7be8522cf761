import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import styles from './quick-start.module.css'

/** Instructions for the first API requests, and the conventions that apply to all endpoints. */
export function QuickStart({ baseUrl }: { baseUrl: string }): ReactNode {
  const api = `${baseUrl}/api/v1`
  return (
    <section className={styles.start} aria-labelledby="quick-start">
      <h2 id="quick-start" className={styles.title}>
        Quick start
      </h2>
      <ol className={styles.steps}>
        <li className={styles.step}>
          <h3 className={styles.name}>1. Create a token</h3>
          <p>
            <a
              href="/user/settings/tokens?add=1&name=api&repository=write&user=write"
              target="_blank"
              rel="noopener"
              className={styles.link}
            >
              Create an access token
            </a>{' '}
            with write access to repositories and your account, and store it in a shell variable:
          </p>
          <CommandLine command="export TOKEN=paste-it-here" />
        </li>
        <li className={styles.step}>
          <h3 className={styles.name}>2. Send your first request</h3>
          <p>Get the authenticated user. The response contains your account as JSON.</p>
          <CommandLine command={`curl -H "Authorization: token $TOKEN" ${api}/user`} />
        </li>
        <li className={styles.step}>
          <h3 className={styles.name}>3. Make your first change</h3>
          <p>Create a repository. The response has status 201 and contains the clone URL.</p>
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
          <dt>Base URL</dt>
          <dd>
            <code>{api}</code>
          </dd>
        </div>
        <div>
          <dt>Authentication</dt>
          <dd>
            Send the header <code>Authorization: token …</code> (or <code>Bearer …</code>), or use Basic
            authentication with a username and password.
          </dd>
        </div>
        <div>
          <dt>Pagination</dt>
          <dd>
            Use <code>page</code> and <code>limit</code> to select a page. The response headers{' '}
            <code>Link</code> and <code>X-Total-Count</code> contain the URLs of other pages and the total
            number of items.
          </dd>
        </div>
        <div>
          <dt>Errors</dt>
          <dd>
            Errors return a 4xx or 5xx status and a body such as <code>{'{"message": "…"}'}</code>. If the
            response includes a <code>Retry-After</code> header, wait that many seconds before trying again.
          </dd>
        </div>
      </dl>
    </section>
  )
}
