export { ListSkeleton as default } from '@/app/_components/list-skeleton'
