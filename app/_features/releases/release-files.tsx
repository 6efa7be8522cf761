import type { ReactNode } from 'react'
import { CommandLine, CopyButton } from '@/app/_components/copy-button'
import { DownloadIcon, FileZipIcon, PackageIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { siteUrlOf } from '@/app/_features/repos/read-repository'
import { counted, formatBytes, shellWord } from '@/app/_lib/format'
import { archivePath, releasePath } from '@/app/_lib/paths'
import type { ShownAsset, ShownRelease } from '@/server/releases/manage/schema'
import type { Repository } from '@/server/repos/schema'
import { CopyLatestLink } from './copy-latest-link'
import styles from './files.module.css'

const openUpTo = 8
const sumsName = 'SHA256SUMS'

interface ReleaseFilesProps {
  repository: Repository
  release: ShownRelease
  alone: boolean
}

/** List of a release's files and source code archives. A long list is collapsed at first. */
export function ReleaseFiles({ repository, release, alone }: ReleaseFilesProps): ReactNode {
  const { assets, asset_count: count, tag_name: tag, title, sha, is_latest: isLatest } = release
  const hasSource = sha !== '' && repository.permissions.pull
  if (assets.length === 0 && !hasSource) return null
  const latest = `${repository.html_url}/releases/latest/download`
  // An attached file with this name replaces the generated one and can have any content.
  const hasSums = assets.length > 0 && !release.draft && !assets.some(({ name }) => name === sumsName)
  return (
    <details className={styles.files} open={alone || assets.length <= openUpTo}>
      <summary className={styles.summary}>
        <h3 className={styles.heading}>Files</h3>{' '}
        <span className={styles.count}>{count + (hasSource ? 2 : 0)}</span>
        <span className="visually-hidden"> in {title}</span>
      </summary>
      <ul className={styles.list} aria-label={`Files in ${title}`}>
        {assets.map(asset => (
          <AssetRow
            key={asset.id}
            asset={asset}
            latest={isLatest && asset.has_name ? `${latest}/${encodeURIComponent(asset.name)}` : undefined}
          />
        ))}
        {assets.length < count ? (
          <li className={styles.row}>
            <TextLink href={releasePath(repository, tag)}>
              Show all {counted(count, 'file', 'files')}
            </TextLink>
          </li>
        ) : null}
        {hasSource
          ? (['zip', 'tar.gz'] as const).map(kind => (
              <li key={kind} className={styles.row}>
                <span className={styles.name}>
                  <FileZipIcon className={styles.icon} />
                  {/* A plain link, because the router must not try to render a download. */}
                  <a className={styles.link} href={archivePath(repository, tag, kind)}>
                    Source code ({kind})
                  </a>
                </span>
              </li>
            ))
          : null}
      </ul>
      {alone && hasSums ? <Verification repository={repository} tag={tag} /> : null}
    </details>
  )
}

function Verification({ repository, tag }: { repository: Repository; tag: string }): ReactNode {
  const sums = `${releasePath(repository, tag, 'download')}/${sumsName}`
  const site = siteUrlOf(repository)
  const check = 'sha256sum --check --ignore-missing'
  return (
    <div className={styles.verify}>
      <p>
        <a className={styles.link} href={sums} download={repository.private}>
          {sumsName}
        </a>{' '}
        lists the SHA-256 digest of every attached file.{' '}
        {repository.private ? 'Download it, then verify' : 'Verify'} your downloads with:
      </p>
      <CommandLine
        // Downloading a private file would require credentials on the command line.
        command={
          repository.private ? `${check} ${sumsName}` : `curl -fsSL ${shellWord(site + sums)} | ${check}`
        }
        what="verification command"
      />
    </div>
  )
}

/** Row for a file of a release. `latest` is the URL of the file with this name in the latest release. */
function AssetRow({ asset, latest }: { asset: ShownAsset; latest: string | undefined }): ReactNode {
  const { name, size, sha256, download_count: downloads, created_at: created, uploader } = asset
  return (
    <li className={styles.row}>
      <span className={styles.name}>
        <PackageIcon className={styles.icon} />
        <a className={styles.link} href={asset.download_url} download>
          <bdi>{name}</bdi>
        </a>
        {latest ? <CopyLatestLink url={latest} name={name} /> : null}
      </span>
      <span className={styles.digest}>
        <code title={`SHA-256: ${sha256}`}>sha256:{sha256.slice(0, 12)}…</code>
        <CopyButton text={sha256} what={`SHA-256 of ${name}`} />
      </span>
      <span className={styles.size}>{formatBytes(size)}</span>
      <span className={styles.downloads} title={counted(downloads, 'download', 'downloads')}>
        <DownloadIcon />
        <span>{downloads.toLocaleString('en-US')}</span>
        <span className="visually-hidden">{downloads === 1 ? 'download' : 'downloads'}</span>
      </span>
      <span className={styles.added}>
        {uploader ? `${uploader.login}, ` : null}
        <RelativeDate value={created} />
      </span>
    </li>
  )
}
