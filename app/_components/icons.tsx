/// <reference types="next/image-types/global" />
import type { ReactNode } from 'react'
// The icons are drawn from one file that browsers cache. A short name, because each icon repeats it.
import sprite from './i.svg'

export interface IconProps {
  /** Text alternative. Without it, screen readers ignore the icon. */
  'aria-label'?: string
  className?: string
  /** Width and height in pixels: 12, 16, 20, or 24. The other types are those of the UI kit's icons. */
  size?: number | 'small' | 'medium' | 'large'
}

export type Icon = (props: IconProps) => ReactNode

const { src }: { src: string } = sprite

/** Returns a component for an Octicon. After a new one is added here, `npm run generate` adds it to the file. */
function icon(name: string): Icon {
  const id = name.replace(/-fill$/, 'F').replaceAll('-', '')
  return ({ 'aria-label': label, className, size = 16 }) => {
    const sized = size === 16 ? 'icon' : `icon${size}`
    const alternative = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true }
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: it has a label, or is hidden from screen readers.
      <svg {...alternative} className={className ? `${sized} ${className}` : sized}>
        <use href={`${src}#${id}${size === 24 ? 'L' : ''}`} />
      </svg>
    )
  }
}

export const AlertFillIcon: Icon = /*#__PURE__*/ icon('alert-fill')
export const AlertIcon: Icon = /*#__PURE__*/ icon('alert')
export const ArrowDownIcon: Icon = /*#__PURE__*/ icon('arrow-down')
export const ArrowRightIcon: Icon = /*#__PURE__*/ icon('arrow-right')
export const BellIcon: Icon = /*#__PURE__*/ icon('bell')
export const BlockedIcon: Icon = /*#__PURE__*/ icon('blocked')
export const BookIcon: Icon = /*#__PURE__*/ icon('book')
export const BookmarkIcon: Icon = /*#__PURE__*/ icon('bookmark')
export const CalendarIcon: Icon = /*#__PURE__*/ icon('calendar')
export const CheckCircleFillIcon: Icon = /*#__PURE__*/ icon('check-circle-fill')
export const CheckCircleIcon: Icon = /*#__PURE__*/ icon('check-circle')
export const CheckIcon: Icon = /*#__PURE__*/ icon('check')
export const ChevronDownIcon: Icon = /*#__PURE__*/ icon('chevron-down')
export const ChevronLeftIcon: Icon = /*#__PURE__*/ icon('chevron-left')
export const ChevronRightIcon: Icon = /*#__PURE__*/ icon('chevron-right')
export const ChevronUpIcon: Icon = /*#__PURE__*/ icon('chevron-up')
export const CircleIcon: Icon = /*#__PURE__*/ icon('circle')
export const CircleSlashIcon: Icon = /*#__PURE__*/ icon('circle-slash')
export const ClockIcon: Icon = /*#__PURE__*/ icon('clock')
export const CodeSquareIcon: Icon = /*#__PURE__*/ icon('code-square')
export const ContainerIcon: Icon = /*#__PURE__*/ icon('container')
export const CopyIcon: Icon = /*#__PURE__*/ icon('copy')
export const DatabaseIcon: Icon = /*#__PURE__*/ icon('database')
export const DeviceDesktopIcon: Icon = /*#__PURE__*/ icon('device-desktop')
export const DeviceMobileIcon: Icon = /*#__PURE__*/ icon('device-mobile')
export const DotFillIcon: Icon = /*#__PURE__*/ icon('dot-fill')
export const DownloadIcon: Icon = /*#__PURE__*/ icon('download')
export const EyeClosedIcon: Icon = /*#__PURE__*/ icon('eye-closed')
export const EyeIcon: Icon = /*#__PURE__*/ icon('eye')
export const FileBinaryIcon: Icon = /*#__PURE__*/ icon('file-binary')
export const FileDirectoryFillIcon: Icon = /*#__PURE__*/ icon('file-directory-fill')
export const FileSubmoduleIcon: Icon = /*#__PURE__*/ icon('file-submodule')
export const FileSymlinkFileIcon: Icon = /*#__PURE__*/ icon('file-symlink-file')
export const FileIcon: Icon = /*#__PURE__*/ icon('file')
export const FileMediaIcon: Icon = /*#__PURE__*/ icon('file-media')
export const FileZipIcon: Icon = /*#__PURE__*/ icon('file-zip')
export const GearIcon: Icon = /*#__PURE__*/ icon('gear')
export const GitBranchIcon: Icon = /*#__PURE__*/ icon('git-branch')
export const GitCommitIcon: Icon = /*#__PURE__*/ icon('git-commit')
export const HistoryIcon: Icon = /*#__PURE__*/ icon('history')
export const HomeIcon: Icon = /*#__PURE__*/ icon('home')
export const InfoIcon: Icon = /*#__PURE__*/ icon('info')
export const KebabHorizontalIcon: Icon = /*#__PURE__*/ icon('kebab-horizontal')
export const KeyAsteriskIcon: Icon = /*#__PURE__*/ icon('key-asterisk')
export const KeyIcon: Icon = /*#__PURE__*/ icon('key')
export const LawIcon: Icon = /*#__PURE__*/ icon('law')
export const LinkIcon: Icon = /*#__PURE__*/ icon('link')
export const ListUnorderedIcon: Icon = /*#__PURE__*/ icon('list-unordered')
export const LocationIcon: Icon = /*#__PURE__*/ icon('location')
export const LockIcon: Icon = /*#__PURE__*/ icon('lock')
export const MailIcon: Icon = /*#__PURE__*/ icon('mail')
export const MoonIcon: Icon = /*#__PURE__*/ icon('moon')
export const NoEntryFillIcon: Icon = /*#__PURE__*/ icon('no-entry-fill')
export const OrganizationIcon: Icon = /*#__PURE__*/ icon('organization')
export const PackageIcon: Icon = /*#__PURE__*/ icon('package')
export const PaperAirplaneIcon: Icon = /*#__PURE__*/ icon('paper-airplane')
export const PauseIcon: Icon = /*#__PURE__*/ icon('pause')
export const PencilIcon: Icon = /*#__PURE__*/ icon('pencil')
export const PeopleIcon: Icon = /*#__PURE__*/ icon('people')
export const PersonAddIcon: Icon = /*#__PURE__*/ icon('person-add')
export const PersonIcon: Icon = /*#__PURE__*/ icon('person')
export const PlayIcon: Icon = /*#__PURE__*/ icon('play')
export const PlusIcon: Icon = /*#__PURE__*/ icon('plus')
export const PulseIcon: Icon = /*#__PURE__*/ icon('pulse')
export const RepoIcon: Icon = /*#__PURE__*/ icon('repo')
export const RepoTemplateIcon: Icon = /*#__PURE__*/ icon('repo-template')
export const RocketIcon: Icon = /*#__PURE__*/ icon('rocket')
export const SearchIcon: Icon = /*#__PURE__*/ icon('search')
export const ServerIcon: Icon = /*#__PURE__*/ icon('server')
export const ShieldCheckIcon: Icon = /*#__PURE__*/ icon('shield-check')
export const ShieldIcon: Icon = /*#__PURE__*/ icon('shield')
export const ShieldLockIcon: Icon = /*#__PURE__*/ icon('shield-lock')
export const SignOutIcon: Icon = /*#__PURE__*/ icon('sign-out')
export const SkipIcon: Icon = /*#__PURE__*/ icon('skip')
export const StopIcon: Icon = /*#__PURE__*/ icon('stop')
export const SunIcon: Icon = /*#__PURE__*/ icon('sun')
export const SyncIcon: Icon = /*#__PURE__*/ icon('sync')
export const TagIcon: Icon = /*#__PURE__*/ icon('tag')
export const TerminalIcon: Icon = /*#__PURE__*/ icon('terminal')
export const ThreeBarsIcon: Icon = /*#__PURE__*/ icon('three-bars')
export const TrashIcon: Icon = /*#__PURE__*/ icon('trash')
export const TriangleDownIcon: Icon = /*#__PURE__*/ icon('triangle-down')
export const UploadIcon: Icon = /*#__PURE__*/ icon('upload')
export const WebhookIcon: Icon = /*#__PURE__*/ icon('webhook')
export const WorkflowIcon: Icon = /*#__PURE__*/ icon('workflow')
export const XCircleFillIcon: Icon = /*#__PURE__*/ icon('x-circle-fill')
export const XCircleIcon: Icon = /*#__PURE__*/ icon('x-circle')
export const XIcon: Icon = /*#__PURE__*/ icon('x')
export const ZapIcon: Icon = /*#__PURE__*/ icon('zap')
