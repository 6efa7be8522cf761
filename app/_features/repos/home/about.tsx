import type { ReactNode } from 'react'
import {
  BookmarkIcon,
  DatabaseIcon,
  GitBranchIcon,
  LawIcon,
  LinkIcon,
  ShieldLockIcon,
  TagIcon,
} from '@/app/_components/icons'
import { Label } from '@/app/_components/label'
import { TextLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { counted, formatSize } from '@/app/_lib/format'
import { codePath, releasePath, repositoryPath } from '@/app/_lib/paths'
import type { CodePage, CodeRoot } from '@/server/code/pages/schema'
import type { LatestRelease } from '@/server/releases/manage/schema'
import type { Repository, RepositoryHome } from '@/server/repos/schema'
import styles from './home.module.css'
import { Languages } from './languages'
import { Topics } from './topics'

interface AboutProps {
  home: RepositoryHome
  /** What is known of the code; null for an empty repository, and for viewers who cannot read it. */
  root: CodeRoot | null
  /** The newest release that is neither a draft nor a pre-release. */
  latest: LatestRelease | null
  /** The viewer's username; undefined for anonymous visitors. */
  me: string | undefined
}

/** Column with what is known of a repository, besides its files. */
export function About({
  home: { repository, branches, tags, releases, may_push: mayPush, may_administer: mayAdminister },
  root,
  latest,
  me,
}: AboutProps): ReactNode {
  const { description, website, size, permissions } = repository
  return (
    <aside className={styles.about} aria-labelledby="about">
      <h2 id="about" className={styles.heading}>
        About
      </h2>
      <p className={description ? styles.description : styles.muted}>
        <bdi>{description || 'No description.'}</bdi>
      </p>
      <Topics
        path={{ owner: repository.owner.login, repo: repository.name }}
        topics={repository.topics}
        mayEdit={mayAdminister}
      />
      <ul className={styles.facts}>
        {website ? (
          <li>
            <LinkIcon />
            <a href={website} rel="noopener nofollow" className={styles.link}>
              {website}
            </a>
          </li>
        ) : null}
        {root?.page ? <Licenses repository={repository} page={root.page} licenses={root.licenses} /> : null}
        {permissions.pull ? (
          <>
            <li>
              <GitBranchIcon />
              <TextLink href={repositoryPath(repository, 'branches')}>
                {counted(branches, 'branch', 'branches')}
              </TextLink>
            </li>
            <li>
              <TagIcon />
              <TextLink href={repositoryPath(repository, 'tags')}>
                {tags === null ? 'Tags' : counted(tags, 'tag', 'tags')}
              </TextLink>
            </li>
          </>
        ) : null}
        {mayPush || mayAdminister ? (
          <li>
            <BookmarkIcon />
            <TextLink href={repositoryPath(repository, 'labels')}>Labels</TextLink>
          </li>
        ) : null}
        <li>
          <DatabaseIcon />
          {formatSize(size)}
        </li>
        {me ? (
          <li>
            <ShieldLockIcon />
            <span>
              You {mayPush ? 'can push' : 'can’t push'}.{' '}
              <TextLink href={`${repositoryPath(repository)}?why=${encodeURIComponent(me)}`} inline>
                Your access
              </TextLink>
            </span>
          </li>
        ) : null}
      </ul>
      <p className={styles.muted}>
        Created <RelativeDate value={repository.created_at} />
      </p>
      {releases ? <Releases repository={repository} latest={latest} total={releases} /> : null}
      {root?.page ? (
        <Languages
          repository={{ owner: repository.owner.login, repo: repository.name }}
          commit={root.page.revision.commit}
          languages={root.languages}
        />
      ) : null}
    </aside>
  )
}

interface LicensesProps extends Pick<CodeRoot, 'licenses'> {
  repository: Repository
  page: CodePage
}

function Licenses({ repository, page: { revision }, licenses }: LicensesProps): ReactNode {
  const byLicense = new Map(licenses.toReversed().map(file => [file.license, file]))
  const named = licenses.filter(file => file.license !== null && byLicense.get(file.license) === file)
  const shown = named.length > 0 ? named.slice(0, 3) : licenses.slice(0, 1)
  return shown.map(({ name, license }) => (
    <li key={name}>
      <LawIcon />
      <TextLink href={codePath(repository, 'src', revision, name)}>
        {license ? `${license} license` : 'License'}
      </TextLink>
    </li>
  ))
}

interface ReleasesProps {
  repository: Repository
  latest: LatestRelease | null
  /** Number of all releases. */
  total: number
}

function Releases({ repository, latest, total }: ReleasesProps): ReactNode {
  const rest = latest ? total - 1 : total
  return (
    <section className={styles.part} aria-labelledby="releases">
      <h3 id="releases" className={styles.heading}>
        Releases
      </h3>
      {latest ? (
        <div className={styles.release}>
          <TagIcon />
          <div>
            <p>
              <TextLink href={releasePath(repository, latest.tag_name)}>
                <bdi>{latest.title}</bdi>
              </TextLink>{' '}
              <Label variant="success">Latest</Label>
            </p>
            <p className={styles.muted}>
              <RelativeDate value={latest.created_at} />
            </p>
          </div>
        </div>
      ) : null}
      {rest > 0 ? (
        <p>
          <TextLink href={repositoryPath(repository, 'releases')}>
            {latest ? '+ ' : ''}
            {counted(rest, 'release', 'releases')}
          </TextLink>
        </p>
      ) : null}
    </section>
  )
}
