find_package(carom REQUIRED)
