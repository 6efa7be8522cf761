'use client'
import { CheckIcon, XIcon } from '@primer/octicons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { TextField } from '@/app/_components/fields'
import styles from './branch-filter-field.module.css'

const examples = ['main', 'release/1.2', 'feature/login'].map(short => ({
  short,
  full: `refs/heads/${short}`,
}))
const tag = { short: 'v1.0', full: 'refs/tags/v1.0' }

type BranchFilterFieldProps = Omit<Parameters<typeof TextField>[0], 'caption' | 'value'> & {
  value: string
}

/** Which branches are told of, with what the filter makes of a few. */
export function BranchFilterField({ value, error, ...input }: BranchFilterFieldProps): ReactNode {
  const filter = value.trim()
  const matcher = useMatcher(filter !== '')
  const problem = matcher?.branchFilterProblem(filter)
  return (
    <div>
      <TextField
        {...input}
        optional
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="All branches and tags"
        error={problem ? `Invalid filter: ${problem}.` : error}
        caption={
          <>
            Limits pushes, and the creation and deletion of branches and tags. For example: <code>main</code>,{' '}
            <code>{'{main,release/*}'}</code>, or <code>refs/tags/*</code>.
          </>
        }
      />
      {matcher && problem === undefined && filter !== '' ? (
        <ul className={styles.examples} aria-label="Examples of what matches">
          {[...examples, tag].map(ref => (
            <Example
              key={ref.full}
              name={ref === tag ? ref.full : ref.short}
              passes={matcher.matchesBranch(filter, ref)}
            />
          ))}
        </ul>
      ) : null}
    </div>
  )
}

const loadMatcher = () => import('@/server/hooks/branch-filter')

/** Most hooks have no filter, so what judges one is loaded when needed. The server checks it in any case. */
function useMatcher(isWanted: boolean): Awaited<ReturnType<typeof loadMatcher>> | undefined {
  const [matcher, setMatcher] = useState<Awaited<ReturnType<typeof loadMatcher>>>()
  useEffect(() => {
    if (isWanted) loadMatcher().then(setMatcher, () => undefined)
  }, [isWanted])
  return matcher
}

function Example({ name, passes }: { name: string; passes: boolean }): ReactNode {
  return (
    <li className={passes ? styles.passes : styles.stays}>
      {passes ? <CheckIcon size={12} /> : <XIcon size={12} />}
      <code>{name}</code>
      <span className="visually-hidden">{passes ? 'matches' : 'does not match'}</span>
    </li>
  )
}
