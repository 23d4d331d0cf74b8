# shellcheck shell=bash disable=SC2034 # OKSTRA_PYTHON is read by okstra_python
# find-python.sh: the Python that makes an installation's own; sourced by install.sh alone.

# Says in one line what a Python is: "ok <path>", or what it lacks.
okstra_python_kind() { # <command>
  "$1" -ISc '
import sys
version = ".".join(map(str, sys.version_info[:3]))
if sys.version_info < (3, 10):
    print("is too old: " + version)
else:
    try:
        import ensurepip, venv
        print("ok " + sys.executable)
    except ImportError as err:
        print(version + " lacks the module " + err.name)
' 2>/dev/null
}

# Sets OKSTRA_PYTHON to a Python that can make an environment, or OKSTRA_PYTHON_TROUBLE to why none.
okstra_find_python() { # [<command>...]
  local one kind
  OKSTRA_PYTHON_TROUBLE=
  for one; do
    command -v "$one" >/dev/null || continue
    kind=$(okstra_python_kind "$one") || kind='does not start'
    if [[ $kind == 'ok '* ]]; then
      OKSTRA_PYTHON=${kind#ok }
      return
    fi
    [[ -n $OKSTRA_PYTHON_TROUBLE ]] || OKSTRA_PYTHON_TROUBLE="$one $kind"
  done
  : "${OKSTRA_PYTHON_TROUBLE:=none found}"
  return 1
}

# The command that installs Python's venv, ensurepip and pip on this system (U-18).
okstra_python_package() { # [<os-release file>]
  local name value ids='' sudo=
  if [[ ${OSTYPE-} == darwin* ]]; then
    printf '%s\n' 'brew install python'
    return
  fi
  if [[ -r ${1:-/etc/os-release} ]]; then
    while IFS='=' read -r name value || [[ -n $name ]]; do
      if [[ $name == ID || $name == ID_LIKE ]]; then ids+=" ${value//[\"\']/} "; fi
    done <"${1:-/etc/os-release}"
  fi
  ((EUID == 0)) || sudo='sudo '
  case $ids in
    *' debian '* | *' ubuntu '*) printf '%s\n' "${sudo}apt-get install python3-venv python3-pip" ;;
    *' fedora '* | *' rhel '*) printf '%s\n' "${sudo}dnf install python3 python3-pip" ;;
    *' suse '* | *' opensuse '*) printf '%s\n' "${sudo}zypper install python3 python3-pip" ;;
    *' arch '*) printf '%s\n' "${sudo}pacman -S python python-pip" ;;
    *' alpine '*) printf '%s\n' "${sudo}apk add python3 py3-pip" ;;
    *) printf '%s\n' 'install Python 3.10 or newer with its modules venv, ensurepip and pip' ;;
  esac
}
